import { refuseBranch } from '../domain/refuse-branch.ts'
import type { Repository, User } from '../domain/types.ts'
import type { GitStore } from '../git/types.ts'
import type { Papers } from '../papers/types.ts'
import type { Store } from '../store/store.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
  readonly papers: Pick<Papers, 'expectPush' | 'queuePushedBranch'>
}

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
  { store, git, papers }: Stores,
  { repository, actor, name, commitId, instead = null }: NewBranch,
): Promise<string | null> {
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
    const moved = [{ ref, oldCommitId: null, newCommitId: commitId }]
    await store.pushes.add({ repositoryId: repository.id, userId: actor.id, moved })
    await papers.queuePushedBranch({ repository, ref, commitId })
  } finally {
    await forget()
  }
  void git.maintain(repository.id)
  return null
}
