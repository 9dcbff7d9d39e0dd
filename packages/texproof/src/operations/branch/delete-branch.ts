/**
 * A branch that is deleted in the browser can be restored for a week: a row describes it, and an internal ref that
 * clients cannot see keeps its commits. Branch and internal ref change in one ref transaction. A crash between row and
 * transaction leaves a row whose branch still exists; it is not listed and expires.
 */
import type { Repository, User } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { DeletedBranch } from '../../store/repositories/deleted-branches.ts'
import type { Store } from '../../store/store.ts'
import { createBranch } from './create-branch.ts'
import type { PushStores } from '../push/push-stores.ts'

/** How long a deleted branch can be restored. */
const restorableForMs = 7 * 86_400_000

const EXPIRED_AT_ONCE = 200
const SHOWN_AT_ONCE = 100

/** Deletes a branch that still points to the expected commit. Returns the reason of a refusal, or null on success. */
export async function deleteBranch(
  { store, git, papers }: PushStores,
  branch: { readonly repository: Repository; readonly actor: User; readonly name: string; readonly commitId: string },
): Promise<string | null> {
  const { repository, actor, name, commitId } = branch
  if (name === repository.defaultBranch) return `"${name}" is the default branch. Make another one the default first.`
  const id = await store.deletedBranches.add({ repositoryId: repository.id, name, commitId, deletedBy: actor.id })
  const ref = `refs/heads/${name}`
  const updates = [{ ref, oldCommitId: commitId, newCommitId: null }]
  const move = { repositoryId: repository.id, userId: actor.id, updates }
  const change = (): Promise<boolean> =>
    git.changeRefs(repository.id, [
      { ref: keptRef(id), from: null, to: commitId },
      { ref, from: commitId, to: null },
    ])
  const { outcome: isDeleted } = await papers.moveRefs(move, change).catch(async (error: unknown) => {
    await forgetUnlessDeleted({ store, git }, { repository, name, commitId, id }).catch(() => {}) // The row expires.
    throw error
  })
  if (!isDeleted) {
    await store.deletedBranches.remove(id)
    return `"${name}" has changed since you opened this page, or no longer exists. Nothing was deleted.`
  }
  return null
}

/** After a failure, it is unknown whether the branch was deleted. */
async function forgetUnlessDeleted(
  { store, git }: Pick<PushStores, 'store' | 'git'>,
  branch: { readonly repository: Repository; readonly name: string; readonly commitId: string; readonly id: number },
): Promise<void> {
  const { repository, name, commitId, id } = branch
  if ((await git.findBranch(repository.id, name)) === null) return
  await git.changeRefs(repository.id, [{ ref: keptRef(id), from: commitId, to: null }])
  await store.deletedBranches.remove(id)
}

/** The last 100 deleted branches that can be restored, without those whose name is in use again. */
export async function listRestorableBranches(
  { store, git }: Pick<PushStores, 'store' | 'git'>,
  repositoryId: number,
): Promise<readonly DeletedBranch[]> {
  const since = Date.now() - restorableForMs
  const deleted = await store.deletedBranches.listOfRepository(repositoryId, { since, limit: SHOWN_AT_ONCE })
  const there = await Promise.all(deleted.map(({ name }) => git.findBranch(repositoryId, name)))
  return deleted.filter((_, at) => there[at] === null)
}

/** Restores a deleted branch at its last commit. Returns the reason of a refusal, or null on success. */
export async function restoreBranch(
  stores: PushStores,
  { repository, actor, id }: { readonly repository: Repository; readonly actor: User; readonly id: number },
): Promise<string | null> {
  const deleted = await stores.store.deletedBranches.find(repository.id, id)
  if (deleted === null || deleted.deletedAt < Date.now() - restorableForMs)
    return 'This branch can no longer be restored: deleted branches are kept for 7 days.'
  const { name, commitId, lastBuildId } = deleted
  const refusal = await createBranch(stores, {
    repository,
    actor,
    name,
    commitId,
    restored: { ref: keptRef(id), commitId, lastBuildId },
  })
  if (refusal === null) await stores.store.deletedBranches.remove(id)
  return refusal
}

/**
 * Removes deleted branches whose retention period is over; returns their number.
 *
 * @throws AggregateError after the others were removed.
 */
export async function forgetDeletedBranches(
  { store, git }: { readonly store: Store; readonly git: GitStore },
  options: { readonly olderThanMs?: number; readonly now?: number } = {},
): Promise<number> {
  const { olderThanMs = restorableForMs, now = Date.now() } = options
  const old = await store.deletedBranches.listOlder({ before: now - olderThanMs, limit: EXPIRED_AT_ONCE })
  const failures: unknown[] = []
  for (const { id, repositoryId, commitId } of old) {
    try {
      // After a crash, there may be a row without its ref.
      await git.changeRefs(repositoryId, [{ ref: keptRef(id), from: commitId, to: null }])
      await store.deletedBranches.remove(id)
    } catch (error) {
      // A damaged ref must not keep the others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `remove ${failures.length} of ${old.length} branches`)
  return old.length
}

function keptRef(id: number): string {
  return `refs/texproof/deleted/${id}`
}
