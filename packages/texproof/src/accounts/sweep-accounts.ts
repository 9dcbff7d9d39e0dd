import type { Store } from '../store/store.ts'

/** Takes away what nobody can use any more: sessions and links that have ended, and links that were used up. */
export async function sweepAccounts(store: Pick<Store, 'sessions' | 'codes'>, now = Date.now()): Promise<void> {
  await store.sessions.removeExpired(now)
  await store.codes.removeExpired(now)
}
