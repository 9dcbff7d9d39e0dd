import { checkBranchName } from '../../domain/git/check-branch-name.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { PushStores } from '../push/push-stores.ts'

/** A branch to create. The caller has checked that the actor may write. */
export interface NewBranch {
  readonly repository: Repository
  readonly actor: User
  /** Short name. */
  readonly name: string
  /** The commit it starts at. */
  readonly commitId: string
  /** The deleted branch that is restored: an internal ref, deleted in the same transaction, and its last build. */
  readonly restored?: { readonly ref: string; readonly commitId: string; readonly lastBuildId: number | null } | null
}

/** Creates a branch and queues its builds, like a push. Returns the reason of a refusal, or null on success. */
export async function createBranch(
  stores: PushStores,
  { repository, actor, name, commitId, restored = null }: NewBranch,
): Promise<string | null> {
  const { git, papers, store } = stores
  const branches = await git.listBranches(repository.id)
  // A branch that is restored had its name before.
  const tags = restored === null ? await git.listTags(repository.id) : []
  const refusal = checkBranchName(name, { branches, tags })
  if (refusal !== null) return refusal
  if ((await git.findCommit(repository.id, commitId)) === null) return 'The start commit no longer exists.'
  const ref = `refs/heads/${name}`
  const updates = [{ ref, oldCommitId: null, newCommitId: commitId }]
  const last = restored?.lastBuildId ? { id: restored.lastBuildId, repositoryId: repository.id, ref } : null
  const move = { repositoryId: repository.id, userId: actor.id, updates }
  const { outcome: isMade } = await papers.moveRefs(move, async () => {
    // Before the branch exists, so that a crash cannot separate it from its builds.
    if (last !== null) await store.builds.resumeBranch(last)
    const isCreated = await git.changeRefs(repository.id, [
      { ref, from: null, to: commitId },
      ...(restored === null ? [] : [{ ref: restored.ref, from: restored.commitId, to: null }]),
    ])
    if (!isCreated && last !== null) await store.builds.endBranch(last)
    return isCreated
  })
  return isMade ? null : 'The branches were changed at the same time. Review them and try again.'
}
