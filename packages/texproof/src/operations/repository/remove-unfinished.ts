import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'

export interface UnfinishedStores {
  readonly store: Store
  readonly git: GitStore
  /** Absent in a command without builds: the files of builds then stay in the cache until they are evicted. */
  readonly papers?: Pick<Papers, 'removeBuildFiles'> | undefined
}

/** A creation that has not renewed its lease for so long counts as crashed; if it still runs, it fails. */
const leaseMs = 10_000
const renewEveryMs = leaseMs / 4

/** Renews the lease of a creation, which can take minutes on a busy machine, until `end` is called. */
export function holdLease({ store }: { readonly store: Store }, id: number): { end(): void } {
  const timer = setInterval(() => {
    store.repositories.renewUnfinished(id).catch(() => {
      // The next renewal is in time, or the database is gone and the creation fails too.
    })
  }, renewEveryMs)
  return { end: () => clearInterval(timer) }
}

/**
 * Removes repositories whose creation or removal was interrupted, so that their names are free again. Each is claimed
 * first: a creation that is still alive cannot finish once its directory is being deleted.
 *
 * Returns how many were removed. `olderThanMs` is the lease, except in tests that cannot wait for it.
 */
export async function removeUnfinishedRepositories(
  stores: UnfinishedStores,
  options: { readonly olderThanMs?: number } = {},
): Promise<number> {
  const { olderThanMs = leaseMs } = options
  const before = Date.now() - olderThanMs
  const ids = await stores.store.repositories.listUnfinished({ before })
  return removeEach(ids, (id) => removeUnfinishedRepository(stores, id, { before }))
}

/**
 * Removes one repository after the other, even if one of them fails. `remove` resolves to whether it did; returns how
 * many were removed.
 *
 * @throws AggregateError at the end if any failed.
 */
export async function removeEach(ids: readonly number[], remove: (id: number) => Promise<boolean>): Promise<number> {
  const errors: unknown[] = []
  let removedCount = 0
  for (const id of ids)
    try {
      if (await remove(id)) removedCount += 1
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0)
    throw new AggregateError(errors, `cannot remove ${errors.length} of ${ids.length} repositories`)
  return removedCount
}

/** Removes one repository whose creation or removal did not finish; false when it is complete after all. */
export async function removeUnfinishedRepository(
  { store, git, papers }: UnfinishedStores,
  id: number,
  options: { readonly before?: number } = {},
): Promise<boolean> {
  if (!(await store.repositories.claimUnfinished(id, options))) return false
  await git.removeRepository(id)
  await papers?.removeBuildFiles(id)
  await store.repositories.removeUnfinished(id)
  return true
}
