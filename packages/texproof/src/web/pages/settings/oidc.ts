/** `/settings/security/oidc`: the issuer's account that signs the viewer in, linked and unlinked. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { hasPassword } from '../../../accounts/confirm-owner.ts'
import { unlinkIdentity } from '../../../accounts/oidc/link-identity.ts'
import type { Identity } from '../../../store/identities.ts'
import { askOwner } from '../../access/ask-owner.ts'
import type { Refusal } from '../../access/ask-owner.ts'
import { backToSecurity } from '../../components/back-to-security.ts'
import type { Html } from '../../components/html.ts'
import { sendPage } from '../../components/page.ts'
import { sendSettingsPage } from '../../components/settings-page.ts'
import { formProblem, passwordField } from '../../components/sign-form.ts'
import { timeAgo } from '../../components/time-ago.ts'
import { openIssuerRequest } from '../../access/open-issuer-request.ts'
import type { OidcDeps } from '../../access/open-issuer-request.ts'
import { formToken } from '../../access/session.ts'
import { requireViewer } from '../../access/viewer.ts'
import { visitorOf } from '../../access/visitor.ts'

const PATH = '/settings/security/oidc'

/** Whether an account is linked, and the form that changes it. */
export async function showIssuerSettings(c: Context, deps: OidcDeps): Promise<Response> {
  return sendIssuerSettings(c, deps, null)
}

/** `POST …/link`: away to the issuer, once the owner has shown to be there. */
export async function postLinkIssuer(c: Context, deps: OidcDeps): Promise<Response> {
  const { user } = requireViewer(c)
  const refusal = await askOwner(c, deps)
  if (refusal !== null) return sendIssuerSettings(c, deps, refusal)
  const url = await openIssuerRequest(c, deps, { next: PATH, linksUserId: user.id })
  if (url === null) {
    const problem = `${deps.oidc.name} does not answer. Try again in a minute.`
    return sendIssuerSettings(c, deps, { problem, status: 422 })
  }
  return sendOnward(c, { name: deps.oidc.name, url })
}

/** `POST …/unlink`. */
export async function postUnlinkIssuer(c: Context, deps: OidcDeps): Promise<Response> {
  const { user } = requireViewer(c)
  const { store, oidc } = deps
  const circumstances = { issuerName: oidc.name, address: visitorOf(c).address }
  const refusal = await unlinkIdentity(store, { user, issuer: oidc.issuer }, circumstances)
  if (refusal === null) return c.redirect(PATH, 303)
  const problem = 'Nothing else would let you in. Set a password or add a passkey first.'
  return sendIssuerSettings(c, deps, { problem, status: 422 })
}

/** The page, with what went wrong. */
export async function sendIssuerSettings(c: Context, deps: OidcDeps, refusal: Refusal | null): Promise<Response> {
  const { user } = requireViewer(c)
  const { store, oidc } = deps
  const [identity, asksPassword] = await Promise.all([
    store.identities.findOfUser(user.id, oidc.issuer),
    hasPassword(store, user),
  ])
  const main = html`${backToSecurity()}
    <p>An account at ${oidc.name} can sign you in here, beside your password and your passkeys.</p>
    ${formProblem(refusal?.problem ?? null)}
    ${identity === null ? linkForm(c, { name: oidc.name, asksPassword }) : linked(c, { name: oidc.name, identity })}`
  const status = refusal?.status ?? 200
  return sendSettingsPage(c, { tab: 'security', title: `Sign-in by ${oidc.name}`, main, status })
}

function linkForm(c: Context, { name, asksPassword }: { readonly name: string; readonly asksPassword: boolean }): Html {
  return html`<p class="quiet">None is linked.</p>
    <form method="post" action="${PATH}/link" class="settings-form">
      ${formToken(c)} ${asksPassword ? passwordField() : ''}
      <p><button class="button">Link an account at ${name}</button></p>
    </form>`
}

function linked(c: Context, { name, identity }: { readonly name: string; readonly identity: Identity }): Html {
  return html`<p>Linked ${timeAgo(identity.createdAt)}: ${name} knows you as <code>${identity.subject}</code>.</p>
    <form method="post" action="${PATH}/unlink">${formToken(c)}<button class="drawn-button">Unlink</button></form>`
}

/** Forms of ours lead to no other host, redirects with them: so a page of ours leads on. */
async function sendOnward(
  c: Context,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<Response> {
  const main = html`<section class="account-form">
    <h1>On to ${name}</h1>
    <p><a class="button" href="${url}">Continue at ${name}</a></p>
  </section>`
  c.header('cache-control', 'no-store')
  const head = html`<meta http-equiv="refresh" content="0; url=${url}" />`
  return sendPage(c, { title: `On to ${name}`, main, head })
}
