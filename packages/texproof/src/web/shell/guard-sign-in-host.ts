/**
 * Signing in works under the configured name only. Under any other name, a page of an attacker could impersonate this
 * host: it may have bound its own name to this host's address (DNS rebinding).
 */
import type { Context, MiddlewareHandler } from 'hono'
import { html } from 'hono/html'

import { isOwnName } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { sendPage } from './page.ts'

const signInPath = /^\/(?:login|join|setup|reset|forgot)(?:\/|$)/

/** Answers 403 with the right address for sign-in pages under a name that is neither configured nor local. */
export function guardSignInHost({ config }: { readonly config: Pick<Config, 'baseUrl'> }): MiddlewareHandler {
  return async (c, next) => {
    if (!signInPath.test(c.req.path)) return next()
    return isOwnName(new URL(c.req.url).hostname, config) ? next() : showWrongHost(c, config)
  }
}

/** The requested name is not repeated: an attacker may have chosen it. */
function showWrongHost(c: Context, { baseUrl }: { readonly baseUrl: string }): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>Wrong address</h1>
    <p>You cannot sign in at this address. The address of this host is <a href="${baseUrl}">${baseUrl}</a>.</p>
    <p>
      Administrators: set <code>base_url</code> to the public address, and configure the reverse proxy to pass on the
      <code>Host</code> header.
    </p>
  </section>`
  return sendPage(c, { title: 'Wrong address', main, status: 403 })
}
