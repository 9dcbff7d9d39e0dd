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
  /** An internal ref that is deleted in the same transaction; null = none. */
  readonly instead?: { readonly ref: string; readonly commitId: string } | null
}

/** Creates a branch and queues its builds, like a push. Returns the reason of a refusal, or null on success. */
export async function createBranch(
  stores: PushStores,
  { repository, actor, name, commitId, instead = null }: NewBranch,
): Promise<string | null> {
  const { git, papers } = stores
  const refusal = checkBranchName(name, await git.listBranches(repository.id))
  if (refusal !== null) return refusal
  if ((await git.findCommit(repository.id, commitId)) === null) return 'The start commit no longer exists.'
  const ref = `refs/heads/${name}`
  const updates = [{ ref, oldCommitId: null, newCommitId: commitId }]
  const { outcome: isMade } = await papers.moveRefs({ repositoryId: repository.id, userId: actor.id, updates }, () =>
    git.changeRefs(repository.id, [
      { ref, from: null, to: commitId },
      ...(instead === null ? [] : [{ ref: instead.ref, from: instead.commitId, to: null }]),
    ]),
  )
  return isMade ? null : 'The branches were changed at the same time. Review them and try again.'
}
