/**
 * Another email address for an account. Letters that set a new password go there, so whoever changes it has shown to be
 * the owner before, and the old address is told: it is the only place where a thief cannot read along. A host that sends
 * emails takes an address once a link in one was followed, so that nobody has the address of somebody else.
 */
import type { User } from '../../domain/types.ts'
import { isEmail } from '../users/add-user.ts'
import { sendVerification } from './email-proof.ts'
import type { VerificationOutcome } from './email-proof.ts'
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
