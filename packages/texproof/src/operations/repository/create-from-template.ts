import { fillPaperStart } from '../../templates/paper-starts.ts'
import type { PaperStart } from '../../templates/paper-starts.ts'
import { createRepository, defaultBranch } from './create-repository.ts'
import type { CreateRepositoryOutcome, FinishRepository, FirstCommit, RepositoryDetails } from './create-repository.ts'
import type { PushStores } from '../push/push-stores.ts'

/** Creates a repository from a sample paper, with the owner as author, and queues its build like a push. */
export async function createFromTemplate(
  stores: PushStores,
  details: RepositoryDetails & { readonly firstCommit: FirstCommit },
  start: PaperStart,
): Promise<CreateRepositoryOutcome> {
  const { owner, name, description, firstCommit } = details
  const files = fillPaperStart(start, { title: description ?? name, author: owner.name ?? owner.login })
  // The journal entry precedes the visible repository: a crash leaves no repository without a build.
  const finish: FinishRepository = async (repositoryId, markReady) => {
    const head = await stores.git.findBranch(repositoryId, defaultBranch)
    if (head === null) return markReady()
    const updates = [{ ref: `refs/heads/${head.name}`, oldCommitId: null, newCommitId: head.commitId }]
    return (await stores.papers.moveRefs({ repositoryId, userId: owner.id, updates }, markReady)).outcome
  }
  return createRepository(stores, { ...details, firstCommit: { ...firstCommit, files } }, { finish })
}
