/** `/settings/security/oidc`: links and unlinks the viewer's account of the identity provider. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { unlinkIdentity } from '../../accounts/oidc/link-identity.ts'
import type { Identity } from '../../store/users/identities.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { SECURITY } from '../ui/back-link.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { openIssuerRequest } from './open-issuer-request.ts'
import type { OidcDeps } from './open-issuer-request.ts'
import { formToken } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { clientOf } from '../session/client.ts'

const PATH = '/settings/security/oidc'

/** Whether an account is linked, and the form that changes it. */
export async function showIssuerSettings(c: Context, deps: OidcDeps): Promise<Response> {
  return sendIssuerSettings(c, deps, noProblems)
}

/** `POST …/link`: redirects to the issuer after the user is reauthenticated. */
export async function postLinkIssuer(c: Context, deps: OidcDeps): Promise<Response> {
  const { user } = requireViewer(c)
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const url = await openIssuerRequest(c, deps, { next: PATH, linksUserId: user.id })
  if (url === null) {
    return sendIssuerSettings(c, deps, { form: `${deps.oidc.name} is not responding. Try again in a minute.` })
  }
  return sendOnward(c, { name: deps.oidc.name, url })
}

/** `POST …/unlink`. */
export async function postUnlinkIssuer(c: Context, deps: OidcDeps): Promise<Response> {
  const { user } = requireViewer(c)
  const { store, oidc } = deps
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const circumstances = { issuerName: oidc.name, address: clientOf(c).address }
  const refusal = await unlinkIdentity(store, { user, issuer: oidc.issuer }, circumstances)
  if (refusal === null) return c.redirect(PATH, 303)
  return sendIssuerSettings(c, deps, {
    form: 'This is your only sign-in method. Set a password or add a passkey first.',
  })
}

/** The page, with the problems found. */
export async function sendIssuerSettings(c: Context, deps: OidcDeps, problems: FormProblems): Promise<Response> {
  const { user } = requireViewer(c)
  const { store, oidc } = deps
  const identity = await store.identities.findOfUser(user.id, oidc.issuer)
  const main = html`<p>Sign in with an account at ${oidc.name}, in addition to your password and passkeys.</p>
    ${formProblems(problems)} ${identity === null ? linkForm(c, oidc.name) : linked(c, { name: oidc.name, identity })}`
  const status = isRefused(problems) ? 422 : 200
  return sendSettingsPage(c, { tab: 'security', title: `Sign in with ${oidc.name}`, back: SECURITY, main, status })
}

function linkForm(c: Context, name: string): Html {
  return html`<p class="quiet">No account is linked.</p>
    <form method="post" action="${PATH}/link" class="settings-form">
      ${formToken(c)}
      <p><button class="button">Link an account at ${name}</button></p>
    </form>`
}

function linked(c: Context, { name, identity }: { readonly name: string; readonly identity: Identity }): Html {
  return html`<p>Linked ${timeAgo(identity.createdAt)}. Your id at ${name}: <code>${identity.subject}</code></p>
    <form method="post" action="${PATH}/unlink">${formToken(c)}<button class="drawn-button">Unlink</button></form>`
}

/** `form-action` forbids redirects to other hosts after a form, so a page links to the issuer. */
async function sendOnward(
  c: Context,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>Continue to ${name}</h1>
    <p><a class="button" href="${url}">Continue to ${name}</a></p>
  </section>`
  c.header('cache-control', 'no-store')
  const head = html`<meta http-equiv="refresh" content="0; url=${url}" />`
  return sendPage(c, { title: `Continue to ${name}`, main, head })
}
