import type { Context } from 'hono'
import { html } from 'hono/html'

import { formToken } from '../session/form.ts'
import { viewerOf } from '../session/viewer.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'

/** Base address and token for API calls. `token`: one that was just created. */
export function apiAccess(
  c: Context,
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string | null },
): Html {
  return html`<section class="api-access" aria-label="Address and token">
    <p class="field token-text">
      <label for="base-url">Base URL</label>
      <input id="base-url" type="text" readonly value="${baseUrl}/api/v3" spellcheck="false" />
      <button type="button" class="plain-button" data-copy="base-url" hidden>${icon('copy')} Copy</button>
    </p>
    ${token === null ? pastedToken() : freshToken(token)} ${waysToToken(c)}
    <p class="quiet">Send it in the header <code>Authorization: token pst_…</code>, or <code>Bearer pst_…</code>.</p>
  </section>`
}

/** Token field for calls from this page, which require JavaScript. */
function pastedToken(): Html {
  return html`<p class="field token-text" data-needs-script hidden>
    <label for="token">Token for the examples on this page</label>
    <input id="token" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="pst_…" />
  </p>`
}

function freshToken(token: string): Html {
  return html`<p class="field token-text">
    <label for="token">Token: read-only, valid for an hour, shown only once</label>
    <input id="token" type="text" readonly value="${token}" spellcheck="false" />
    <button type="button" class="plain-button" data-copy="token" hidden>${icon('copy')} Copy</button>
  </p>`
}

function waysToToken(c: Context): Html {
  if (viewerOf(c) === null) return html`<p><a href="/login?next=%2Fdocs%2Fapi">Sign in</a> to create a token.</p>`
  return html`<form method="post" action="/docs/api" class="ways">
    ${formToken(c)}
    <button class="drawn-button">Create a read-only token for one hour</button>
    <a href="/settings/tokens/new?name=script&amp;scopes=repo:write&amp;expires=7"
      >Create a token with write access for 7 days</a
    >
    <a href="/settings/tokens">Manage tokens</a>
  </form>`
}
