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

/** What came of it. */
export type ChangeEmailOutcome = { readonly kind: 'changed' | 'invalid-email' | 'email-taken' } | VerificationOutcome

/** Who wants which address, and from where. */
export interface WantedEmail {
  readonly user: User
  readonly wanted: string
  readonly address: string
}

/** Changes the address where it needs no proof; empty text takes it away. Otherwise it waits for the email. */
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
