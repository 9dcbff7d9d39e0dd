/**
 * Verifies that an email address belongs to a user: an email is sent to it, and the user follows its link while signed
 * in. Opening the link changes nothing, because mail servers open links, too; the form on its page does. A request for
 * the address of another account reveals nothing: the email to that address informs its owner.
 */
import type { User } from '../../domain/types.ts'

import { writeAddressInUseEmail, writeVerificationEmail } from '../../mail/account-emails.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { ThrottleRule } from '../../base/throttle.ts'
import type { Store } from '../../store/store.ts'
import { setEmail } from './set-email.ts'
import type { EmailDeps } from './set-email.ts'

const lifeMs = 3_600_000
/** Throttle by user and by address: three emails in a row do not fill a mailbox. */
const rule: ThrottleRule = { allowed: 3, firstWaitMs: 10 * 60_000, longestWaitMs: 60 * 60_000 }

/** The outcome of a verification request: `waits` = for the user to follow the link. */
export type VerificationOutcome = { readonly kind: 'waits' } | { readonly kind: 'throttled'; readonly waitMs: number }

/** An address that is not verified yet. Times are epoch milliseconds. */
export interface PendingEmail {
  readonly email: string
  readonly expiresAt: number
}

/** Sends the email. Earlier links expire. The audit log informs about the current address. */
export async function sendVerification(
  deps: EmailDeps,
  { user, email, address }: { readonly user: User; readonly email: string; readonly address: string },
): Promise<VerificationOutcome> {
  const { store } = deps
  const throttle = store.throttles.open('verify email', rule)
  const waitMs = (await throttle.attempt(`by ${user.id}`)) || (await throttle.attempt(`to ${email.toLowerCase()}`))
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const code = makeSecretText()
  await store.codes.removeOpen('email', user.id)
  const [hash, expiresAt] = [hashSecretText(code), Date.now() + lifeMs]
  await store.codes.add({ hash, purpose: 'email', userId: user.id, email, createdBy: user.id, expiresAt })
  await store.events.add({ kind: 'email-asked', userId: user.id, actorId: user.id, address })
  await write(deps, { user, email, code })
  return { kind: 'waits' }
}

/** The unverified address of a user; null if there is none. */
export async function findPendingEmail(store: Store, user: User): Promise<PendingEmail | null> {
  const code = await store.codes.findOpen('email', user.id)
  return code === null || code.email === null ? null : { email: code.email, expiresAt: code.expiresAt }
}

/** Sends another email with a new link, if the address is still unverified. */
export async function resendVerification(
  deps: EmailDeps,
  { user, address }: { readonly user: User; readonly address: string },
): Promise<VerificationOutcome> {
  const pending = await findPendingEmail(deps.store, user)
  return pending === null ? { kind: 'waits' } : sendVerification(deps, { user, email: pending.email, address })
}

/** Keeps the address as it is and invalidates the link in the email. */
export async function cancelVerification(store: Store, user: User): Promise<void> {
  await store.codes.removeOpen('email', user.id)
}

/** The address that a link verifies for this user; null for an invalid link, and for a link of another user. */
export async function findVerification(
  store: Store,
  { user, code }: { readonly user: User; readonly code: string },
): Promise<string | null> {
  const found = code === '' ? null : await store.codes.find(hashSecretText(code), 'email')
  return found?.userId === user.id ? found.email : null
}

/** Sets the address that a link verifies. The link cannot be used again. */
export async function verifyEmail(
  deps: EmailDeps,
  { user, code, address }: { readonly user: User; readonly code: string; readonly address: string },
): Promise<{ readonly kind: 'changed' | 'email-taken' | 'expired-code' }> {
  const email = await findVerification(deps.store, { user, code })
  if (email === null || (await deps.store.codes.take(hashSecretText(code), 'email')) === null)
    return { kind: 'expired-code' }
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
