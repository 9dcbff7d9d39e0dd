/**
 * If registration is limited to email domains, an address is verified by an invitation that is sent to it. As for a
 * forgotten password, the answer is the same for every address.
 */
import { isEmail } from '../users/add-user.ts'

import { writeAddressInUseEmail, writeSignUpEmail } from '../../mail/account-emails.ts'
import type { ForgotDeps } from '../credentials/forgot-password.ts'
import { makeJoinCode } from './invite.ts'
import { networkOf } from '../session/network-of.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

/** The outcome of a request. It does not reveal whether the address has an account already. */
export type RequestInvitationOutcome =
  | { readonly kind: 'asked' }
  | { readonly kind: 'invalid-email' | 'wrong-domain' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** Requests an email with an invitation; it is queued after the answer. */
export async function requestInvitation(
  deps: ForgotDeps,
  { email, address }: { readonly email: string; readonly address: string },
): Promise<RequestInvitationOutcome> {
  if (!isEmail(email)) return { kind: 'invalid-email' }
  if (!isOfEmailDomain(email, await findRegistration(deps.store))) return { kind: 'wrong-domain' }
  const waitMs = await deps.throttles.byAddress.attempt(networkOf(address))
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  setImmediate(() => void inviteTo(deps, email).catch(deps.onFault))
  return { kind: 'asked' }
}

async function inviteTo({ config, store, mail, throttles }: ForgotDeps, to: string): Promise<void> {
  if ((await throttles.byAccount.attempt(to.toLowerCase())) > 0) return
  const owner = await store.users.findByEmail(to)
  if (owner !== null) {
    mail.send(writeAddressInUseEmail({ to, login: owner.login, host: config.name, link: `${config.baseUrl}/forgot` }))
    return
  }
  const code = await makeJoinCode(store, to)
  mail.send(writeSignUpEmail({ to, host: config.name, link: `${config.baseUrl}/join?code=${code}` }))
}
