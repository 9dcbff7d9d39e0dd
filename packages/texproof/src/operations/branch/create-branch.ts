import { checkBranchName } from '../../domain/git/check-branch-name.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { PushStores } from '../push/push-stores.ts'

/** A branch to make. The caller has looked whether its maker may write. */
export interface NewBranch {
  readonly repository: Repository
  readonly actor: User
  /** Short name. */
  readonly name: string
  /** Where it begins. */
  readonly commitId: string
  /** A ref of the house's own that goes in the same move; null = none. */
  readonly instead?: { readonly ref: string; readonly commitId: string } | null
}

/** Makes a branch and asks for its PDF, as a push of it would; gives the reason when it cannot be. */
export async function createBranch(
  stores: PushStores,
  { repository, actor, name, commitId, instead = null }: NewBranch,
): Promise<string | null> {
  const { git, papers } = stores
  const refusal = checkBranchName(name, await git.listBranches(repository.id))
  if (refusal !== null) return refusal
  if ((await git.findCommit(repository.id, commitId)) === null) return 'The commit that it should begin at is gone.'
  const ref = `refs/heads/${name}`
  const updates = [{ ref, oldCommitId: null, newCommitId: commitId }]
  const { outcome: isMade } = await papers.moveRefs({ repositoryId: repository.id, userId: actor.id, updates }, () =>
    git.changeRefs(repository.id, [
      { ref, from: null, to: commitId },
      ...(instead === null ? [] : [{ ref: instead.ref, from: instead.commitId, to: null }]),
    ]),
  )
  return isMade ? null : 'The branches changed at the same moment. Review them and try again.'
}
