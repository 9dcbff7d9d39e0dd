/**
 * The proof that an email address is somebody's own: an email goes there, and its link is followed by whoever is signed
 * in as them. Opening the link changes nothing, since mail servers open links, too; the form behind it does. Somebody
 * who asks for the address of another account learns nothing: the email to it tells its owner.
 */
import type { User } from '../../domain/types.ts'

import { writeAddressInUseEmail, writeVerificationEmail } from '../../mail/account-emails.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { Store } from '../../store/store.ts'
import { createThrottle } from '../session/throttle.ts'
import { setEmail } from './set-email.ts'
import type { EmailDeps } from './set-email.ts'

const lifeMs = 3_600_000
/** By who asks and by who is written to: three emails in a row fill no mailbox. */
const throttle = createThrottle({ allowed: 3, firstWaitMs: 10 * 60_000, longestWaitMs: 60 * 60_000 })

/** What came of asking for an email: `waits` = the address does, for its link. */
export type VerificationOutcome = { readonly kind: 'waits' } | { readonly kind: 'throttled'; readonly waitMs: number }

/** An address that waits for its proof. Times are epoch milliseconds. */
export interface PendingEmail {
  readonly email: string
  readonly expiresAt: number
}

/** Writes to the address; what waited before ends. The address that the account has is told by the log of accounts. */
export async function sendVerification(
  deps: EmailDeps,
  { user, email, address }: { readonly user: User; readonly email: string; readonly address: string },
): Promise<VerificationOutcome> {
  const waitMs = throttle.attempt(`by ${user.id}`) || throttle.attempt(`to ${email.toLowerCase()}`)
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const { store } = deps
  const code = makeSecretText()
  await store.codes.removeOpen('email', user.id)
  const [hash, expiresAt] = [hashSecretText(code), Date.now() + lifeMs]
  await store.codes.add({ hash, purpose: 'email', userId: user.id, email, createdBy: user.id, expiresAt })
  await store.events.add({ kind: 'email-asked', userId: user.id, actorId: user.id, address })
  await write(deps, { user, email, code })
  return { kind: 'waits' }
}

/** Which address of a user waits; null when none does. */
export async function findPendingEmail(store: Store, user: User): Promise<PendingEmail | null> {
  const code = await store.codes.findOpen('email', user.id)
  return code === null || code.email === null ? null : { email: code.email, expiresAt: code.expiresAt }
}

/** Writes once more, with another link, if the address still waits. */
export async function resendVerification(
  deps: EmailDeps,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<VerificationOutcome> {
  const pending = await findPendingEmail(deps.store, user)
  return pending === null ? { kind: 'waits' } : sendVerification(deps, { user, email: pending.email, address })
}

/** The address stays as it is, and the link in the email opens nothing. */
export async function cancelVerification(store: Store, user: User): Promise<void> {
  await store.codes.removeOpen('email', user.id)
}

/** The address that a link proves for the user who follows it; null for a dead link, and for one of somebody else. */
export async function findVerification(
  store: Store,
  { user, code }: { readonly user: User; readonly code: string },
): Promise<string | null> {
  const found = code === '' ? null : await store.codes.find(hashSecretText(code), 'email')
  return found?.userId === user.id ? found.email : null
}

/** Takes the address that a link proves; the link is used up. */
export async function verifyEmail(
  deps: EmailDeps,
  { user, code, address }: { readonly user: User; readonly code: string; readonly address: string },
): Promise<{ readonly kind: 'changed' | 'email-taken' | 'dead-code' }> {
  const email = await findVerification(deps.store, { user, code })
  if (email === null || (await deps.store.codes.take(hashSecretText(code), 'email')) === null)
    return { kind: 'dead-code' }
  return setEmail(deps, { user, email, address })
}

async function write(
  { config, store, mail }: EmailDeps,
  { user, email: to, code }: { readonly user: User; readonly email: string; readonly code: string },
): Promise<void> {
  const { name: host, baseUrl } = config
  const owner = await store.users.findByEmail(to)
  if (owner !== null && owner.id !== user.id) {
    mail.send(writeAddressInUseEmail({ to, login: owner.login, host, link: `${baseUrl}/forgot` }))
    return
  }
  const link = `${baseUrl}/settings/profile/email?code=${code}`
  mail.send(writeVerificationEmail({ to, login: user.login, host, link, minutes: lifeMs / 60_000 }))
}
