import type { Store } from '../store/store.ts'

/** Takes away what nobody can use any more: sessions, links and letters that have ended, and links that were used up. */
export async function sweepAccounts(
  store: Pick<Store, 'sessions' | 'codes' | 'letters'>,
  now = Date.now(),
): Promise<void> {
  await store.sessions.removeExpired(now)
  await store.codes.removeExpired(now)
  await store.letters.removeExpired(now)
}
