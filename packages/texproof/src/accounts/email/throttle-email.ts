import type { ThrottleRule } from '../../base/throttle.ts'
import type { Store } from '../../store/store.ts'

/** Emails to people of a user's choice. */
export const emailsByActor: ThrottleRule = { allowed: 20, firstWaitMs: 10 * 60_000, longestWaitMs: 60 * 60_000 }
/** Several users may invite the same person, but not fill their mailbox. */
const byRecipient: ThrottleRule = { allowed: 5, firstWaitMs: 10 * 60_000, longestWaitMs: 60 * 60_000 }

/**
 * Milliseconds that a user has to wait before the host emails a person of their choice; 0 = allowed, and counted. The
 * limits apply to the whole host: repositories and withdrawn invitations do not change them.
 */
export async function throttleEmail(
  { throttles }: Pick<Store, 'throttles'>,
  { actorId, to }: { readonly actorId: string; readonly to: string },
): Promise<number> {
  const waitMs = await throttles.open('email by user', emailsByActor).attempt(actorId)
  return waitMs > 0 ? waitMs : throttles.open('email to recipient', byRecipient).attempt(to.toLowerCase())
}
