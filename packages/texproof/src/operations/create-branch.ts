import { refuseBranch } from '../domain/refuse-branch.ts'
import type { Repository, User } from '../domain/types.ts'
import { settlePush } from './settle-push.ts'
import type { PushStores } from './settle-push.ts'

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
  const refusal = refuseBranch(name, await git.listBranches(repository.id))
  if (refusal !== null) return refusal
  if ((await git.findCommit(repository.id, commitId)) === null) return 'The commit that it should begin at is gone.'
  const ref = `refs/heads/${name}`
  const forget = await papers.expectPush(repository.id)
  try {
    const isMade = await git.changeRefs(repository.id, [
      { ref, from: null, to: commitId },
      ...(instead === null ? [] : [{ ref: instead.ref, from: instead.commitId, to: null }]),
    ])
    if (!isMade) return 'Somebody else was changing the branches at the same moment. Look at them and try again.'
    const updates = [{ ref, oldCommitId: null, newCommitId: commitId }]
    await settlePush(stores, repository, { updates, pusher: actor })
  } finally {
    await forget()
  }
  return null
}
