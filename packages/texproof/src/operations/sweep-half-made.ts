import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'

/** How long a creation may take. One that takes longer is taken for dead, and if it is not, it fails. */
const leaseMs = 10_000

/**
 * Clears away repositories whose making or removing was broken off, directory first, so that their names are free again.
 * Answers how many there were. `olderThanMs` is the lease unless a test cannot wait for it.
 */
export async function sweepHalfMade(
  stores: { readonly store: Store; readonly git: GitStore },
  options: { readonly olderThanMs?: number } = {},
): Promise<number> {
  const { olderThanMs = leaseMs } = options
  const ids = await stores.store.repositories.listHalfMade({ before: Date.now() - olderThanMs })
  for (const id of ids) {
    await stores.git.removeRepository(id)
    await stores.store.repositories.removeHalfMade(id)
  }
  return ids.length
}
