import type { Store } from '../../store/store.ts'

/** Removes expired sessions, links, failed attempts and emails, and used links; returns how many emails were never delivered. */
export async function removeExpired(
  store: Pick<Store, 'sessions' | 'codes' | 'throttles' | 'queuedEmails'>,
  now = Date.now(),
): Promise<{ readonly undeliveredEmails: number }> {
  await store.sessions.removeExpired(now)
  await store.codes.removeExpired(now)
  await store.throttles.removeExpired(now)
  return { undeliveredEmails: await store.queuedEmails.removeExpired(now) }
}
