import type { Context } from 'hono'
import { html } from 'hono/html'

import { isOpenRegistrationSafe } from '../../accounts/join/open-registration.ts'
import { findRegistration } from '../../accounts/join/registration.ts'
import type { Deps } from '../../operations/deps.ts'
import { sendPage } from './page.ts'

/** `/` of a host that shows nothing to strangers: whose it is, the way in, and whom to ask for one. */
export async function showClosedDoor(
  c: Context,
  { config, papers, store }: Pick<Deps, 'config' | 'papers' | 'store'>,
): Promise<Response> {
  const { mode } = await findRegistration(store)
  const main = html`<section class="error-page">
    <h1>${config.name}</h1>
    <p>The papers here are read by those who are signed in.</p>
    <p class="actions">
      <a class="button" href="/login">Sign in</a>
      ${mode === 'open' && isOpenRegistrationSafe({ config, papers }) ? html`<a href="/join">Create an account</a>` : ''}
    </p>
    ${config.contact === null ? '' : html`<p class="quiet">Administrator: ${config.contact}</p>`}
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: config.name, main, isBare: true })
}
