/**
 * A repository that is deleted goes to the trash: nobody finds it, its name is free, and for a week its owner can bring
 * it back with everything in it. After that, or when its owner says so, it goes for good: the row is given up, so that
 * nobody brings it back, then the git directory goes by one rename, then the row. What a crash in between leaves, the
 * sweep of unfinished repositories takes: nothing of a removed paper stays on the disk unseen.
 */
import type { Repository, User } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { Papers } from '../../papers/types.ts'
import type { TrashedRepository } from '../../store/repositories/repository-trash.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
}

/** How long a deleted repository can come back. */
export const trashedForMs = 7 * 86_400_000

const REMOVED_AT_ONCE = 50

/** Puts a repository into the trash. The caller has looked whether the actor may. */
export async function deleteRepository(
  { store }: Stores,
  { repository, actor }: { readonly repository: Repository; readonly actor: User },
): Promise<void> {
  const { id, owner, name } = repository
  if (!(await store.repositories.trash(id))) return
  const detail = `${owner.login}/${name}`
  await store.events.add({ kind: 'repository-deleted', userId: owner.id, actorId: actor.id, detail })
}

/** What came of bringing one back; `name-taken` = its owner has another one of the name. */
export type RestoreOutcome = 'restored' | 'gone' | 'name-taken'

/** Takes a repository of this owner out of the trash, as it was; builds that were cancelled meanwhile are queued again. */
export async function restoreRepository(
  { store, papers }: Stores & { readonly papers: Pick<Papers, 'reopen'> },
  { owner, id }: { readonly owner: User; readonly id: number },
): Promise<RestoreOutcome> {
  const trashed = await store.repositories.findTrashed(owner.id, id)
  if (trashed === null || trashed.trashedAt < Date.now() - trashedForMs) return 'gone'
  return papers.reopen(id, async () => {
    try {
      if (!(await store.repositories.restore(id, owner))) return 'gone'
    } catch (error) {
      if (error instanceof UniqueViolation) return 'name-taken'
      throw error
    }
    const detail = `${owner.login}/${trashed.name}`
    await store.events.add({ kind: 'repository-restored', userId: owner.id, actorId: owner.id, detail })
    return 'restored'
  })
}

/** Removes a repository of this owner from the trash, for good; false when there is no such one. */
export async function removeFromTrash(
  stores: Stores,
  { owner, id }: { readonly owner: User; readonly id: number },
): Promise<boolean> {
  const trashed = await stores.store.repositories.findTrashed(owner.id, id)
  if (trashed === null || !(await remove(stores, trashed))) return false
  const detail = `${owner.login}/${trashed.name}`
  await stores.store.events.add({ kind: 'repository-removed', userId: owner.id, actorId: owner.id, detail })
  return true
}

/** Empties the trash of what is in it longer than it is kept; answers how many that were. */
export async function emptyTrash(stores: Stores, options: { readonly olderThanMs?: number } = {}): Promise<number> {
  const { olderThanMs = trashedForMs } = options
  const old = await stores.store.repositories.listTrashedBefore(Date.now() - olderThanMs, { limit: REMOVED_AT_ONCE })
  for (const trashed of old) await remove(stores, trashed)
  return old.length
}

async function remove({ store, git }: Stores, { id }: TrashedRepository): Promise<boolean> {
  if (!(await store.repositories.giveUpTrashed(id))) return false
  await git.removeRepository(id)
  await store.repositories.removeUnfinished(id)
  return true
}
