/**
 * Changes the email address of an account. Password reset links are sent to it, so a change requires confirmation, and
 * the old address is notified: an attacker cannot read that mailbox. On a host that sends email, the new address counts
 * once it is verified, so that no account has the address of another person.
 */
import type { User } from '../../domain/types.ts'
import { isEmail } from '../users/add-user.ts'
import { sendVerification } from './email-verification.ts'
import type { VerificationOutcome } from './email-verification.ts'
import { setEmail } from './set-email.ts'
import type { EmailDeps } from './set-email.ts'

/** The outcome of a change. */
export type ChangeEmailOutcome = { readonly kind: 'changed' | 'invalid-email' | 'email-taken' } | VerificationOutcome

/** The user, the new address, and the network address of the request. */
export interface WantedEmail {
  readonly user: User
  readonly wanted: string
  readonly address: string
}

/**
 * Changes the address if it needs no verification; empty text removes it. Otherwise, the change waits for the
 * verification.
 */
export async function changeEmail(
  deps: EmailDeps,
  { user, wanted, address }: WantedEmail,
): Promise<ChangeEmailOutcome> {
  const email = wanted.trim() === '' ? null : wanted.trim()
  if (email !== null && !isEmail(email)) return { kind: 'invalid-email' }
  if (email === user.email) return { kind: 'changed' }
  return email !== null && deps.mail.isConfigured
    ? sendVerification(deps, { user, email, address })
    : setEmail(deps, { user, email, address })
}
