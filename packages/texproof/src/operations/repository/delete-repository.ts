/**
 * Deletes a repository in two steps. First it is moved to the trash: it is hidden, its name is free, and its owner can
 * restore it for a week. After that, or when the owner requests it, it is permanently deleted: the row is marked, so that
 * it cannot be restored, then the git directory is renamed away, then the files of builds are removed, then the row is
 * deleted. The sweep of unfinished repositories completes a deletion after a crash, so that no part of the repository stays
 * on disk.
 */
import { findQuotas } from '../../accounts/users/find-quotas.ts'
import type { Config } from '../../config/read-config.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { removeEach } from './remove-unfinished.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
}

type RemovalStores = Stores & { readonly papers: Pick<Papers, 'removeBuildFiles'> }

/** How long a deleted repository can be restored. */
export const trashedForMs = 7 * 86_400_000

const REMOVED_AT_ONCE = 50

/** Moves a repository to the trash. The caller has checked the permission. */
export async function deleteRepository(
  { store }: Stores,
  { repository, actor }: { readonly repository: Repository; readonly actor: User },
): Promise<void> {
  const { id, owner, name } = repository
  if (!(await store.repositories.trash(id))) return
  const detail = `${owner.login}/${name}`
  await store.events.add({ kind: 'repository-deleted', userId: owner.id, actorId: actor.id, detail })
}

/** The outcome of a restoration; `name-taken` = the owner has another repository with that name. */
export type RestoreOutcome = 'restored' | 'gone' | 'name-taken' | 'over-quota'

/** Restores a repository of this owner from the trash, and queues cancelled builds again. */
export async function restoreRepository(
  {
    store,
    papers,
    config,
  }: Stores & { readonly papers: Pick<Papers, 'reopen'>; readonly config: Pick<Config, 'quotas'> },
  { owner, id }: { readonly owner: User; readonly id: number },
): Promise<RestoreOutcome> {
  const trashed = await store.repositories.findTrashed(owner.id, id)
  if (trashed === null || trashed.trashedAt < Date.now() - trashedForMs) return 'gone'
  const quotas = await findQuotas({ config, store }, owner.id)
  return papers.reopen(id, async () => {
    try {
      const outcome = await store.repositories.restore(id, owner, quotas)
      if (outcome !== 'restored') return outcome
    } catch (error) {
      if (error instanceof UniqueViolation) return 'name-taken'
      throw error
    }
    const detail = `${owner.login}/${trashed.name}`
    await store.events.add({ kind: 'repository-restored', userId: owner.id, actorId: owner.id, detail })
    return 'restored'
  })
}

/** Permanently deletes a repository of this owner from the trash; false if there is no such repository. */
export async function removeFromTrash(
  stores: RemovalStores,
  { owner, id }: { readonly owner: User; readonly id: number },
): Promise<boolean> {
  const trashed = await stores.store.repositories.findTrashed(owner.id, id)
  if (trashed === null || !(await remove(stores, id))) return false
  const detail = `${owner.login}/${trashed.name}`
  await stores.store.events.add({ kind: 'repository-removed', userId: owner.id, actorId: owner.id, detail })
  return true
}

/** Removes repositories from the trash whose retention period is over; returns their number. */
export async function emptyTrash(
  stores: RemovalStores,
  options: { readonly olderThanMs?: number; readonly now?: number } = {},
): Promise<number> {
  const { olderThanMs = trashedForMs, now = Date.now() } = options
  const old = await stores.store.repositories.listTrashedBefore(now - olderThanMs, { limit: REMOVED_AT_ONCE })
  return removeEach(
    old.map(({ id }) => id),
    (id) => remove(stores, id),
  )
}

/** Permanently deletes a repository to which nothing was pushed, unless a push of it is in progress. */
export async function removeUnpushed(stores: RemovalStores, { id }: Pick<Repository, 'id'>): Promise<void> {
  if (await stores.store.repositories.giveUpUnpushed(id)) await removeGivenUp(stores, id)
}

async function remove(stores: RemovalStores, id: number): Promise<boolean> {
  if (!(await stores.store.repositories.giveUpTrashed(id))) return false
  await removeGivenUp(stores, id)
  return true
}

async function removeGivenUp({ store, git, papers }: RemovalStores, id: number): Promise<void> {
  await git.removeRepository(id)
  await papers.removeBuildFiles(id)
  await store.repositories.removeUnfinished(id)
}
