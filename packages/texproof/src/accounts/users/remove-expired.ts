import type { Store } from '../../store/store.ts'

/** Removes expired sessions, links and emails, and used links; returns how many emails were never delivered. */
export async function removeExpired(
  store: Pick<Store, 'sessions' | 'codes' | 'queuedEmails'>,
  now = Date.now(),
): Promise<{ readonly undeliveredEmails: number }> {
  await store.sessions.removeExpired(now)
  await store.codes.removeExpired(now)
  return { undeliveredEmails: await store.queuedEmails.removeExpired(now) }
}
