/**
 * A branch that is deleted in the browser can come back for a week: a row says what it was, and a ref that no client
 * sees keeps its commits. Branch and hidden ref change in one move of git, so neither is ever without the other; a crash
 * between row and move leaves a row whose branch is still there, which offers nothing and goes with its age.
 */
import type { Repository, User } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { DeletedBranch } from '../../store/repositories/deleted-branches.ts'
import type { Store } from '../../store/store.ts'
import { createBranch } from './create-branch.ts'
import type { PushStores } from '../push/push-stores.ts'

/** How long a deleted branch can come back. */
export const restorableForMs = 7 * 86_400_000

const EXPIRED_AT_ONCE = 200

/** Deletes a branch that still is where its deleter saw it; gives the reason when it cannot be. */
export async function deleteBranch(
  { store, git, papers }: PushStores,
  branch: { readonly repository: Repository; readonly actor: User; readonly name: string; readonly commitId: string },
): Promise<string | null> {
  const { repository, actor, name, commitId } = branch
  if (name === repository.defaultBranch) return `"${name}" is the default branch. Make another one the default first.`
  const id = await store.deletedBranches.add({ repositoryId: repository.id, name, commitId, deletedBy: actor.id })
  const ref = `refs/heads/${name}`
  const updates = [{ ref, oldCommitId: commitId, newCommitId: null }]
  const { outcome: isDeleted } = await papers.moveRefs({ repositoryId: repository.id, userId: actor.id, updates }, () =>
    git.changeRefs(repository.id, [
      { ref: keptRef(id), from: null, to: commitId },
      { ref, from: commitId, to: null },
    ]),
  )
  if (!isDeleted) {
    await store.deletedBranches.remove(id)
    return `"${name}" has moved since you looked, or is gone. Nothing was deleted.`
  }
  return null
}

/** Deleted branches that can come back: one whose name is taken again cannot. */
export async function listRestorableBranches(
  { store, git }: Pick<PushStores, 'store' | 'git'>,
  repositoryId: number,
): Promise<readonly DeletedBranch[]> {
  const since = Date.now() - restorableForMs
  const deleted = await store.deletedBranches.listOfRepository(repositoryId, { since })
  const there = await Promise.all(deleted.map(({ name }) => git.findBranch(repositoryId, name)))
  return deleted.filter((_, at) => there[at] === null)
}

/** Brings a deleted branch back to where it was; gives the reason when it cannot be. */
export async function restoreBranch(
  stores: PushStores,
  { repository, actor, id }: { readonly repository: Repository; readonly actor: User; readonly id: number },
): Promise<string | null> {
  const deleted = await stores.store.deletedBranches.find(repository.id, id)
  if (deleted === null || deleted.deletedAt < Date.now() - restorableForMs)
    return 'This branch cannot come back any more: a deleted branch is kept for 7 days.'
  const { name, commitId } = deleted
  const refusal = await createBranch(stores, {
    repository,
    actor,
    name,
    commitId,
    instead: { ref: keptRef(id), commitId },
  })
  if (refusal === null) await stores.store.deletedBranches.remove(id)
  return refusal
}

/** Lets go of branches that were deleted longer ago than they are kept; answers how many. */
export async function forgetDeletedBranches(
  { store, git }: { readonly store: Store; readonly git: GitStore },
  options: { readonly olderThanMs?: number } = {},
): Promise<number> {
  const { olderThanMs = restorableForMs } = options
  const old = await store.deletedBranches.listOlder({ before: Date.now() - olderThanMs, limit: EXPIRED_AT_ONCE })
  for (const { id, repositoryId, commitId } of old) {
    // Where a crash left a row without its ref there is nothing to let go of.
    await git.changeRefs(repositoryId, [{ ref: keptRef(id), from: commitId, to: null }])
    await store.deletedBranches.remove(id)
  }
  return old.length
}

function keptRef(id: number): string {
  return `refs/texproof/deleted/${id}`
}
