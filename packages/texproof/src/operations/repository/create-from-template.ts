import { fillPaperStart } from '../../templates/paper-starts.ts'
import type { PaperStart } from '../../templates/paper-starts.ts'
import { createRepository, defaultBranch } from './create-repository.ts'
import type { CreateRepositoryOutcome, FinishRepository, FirstCommit, RepositoryDetails } from './create-repository.ts'
import type { PushStores } from '../push/push-stores.ts'

/** Makes a repository that begins with a paper by its owner, and asks for the PDF as a push would. */
export async function createFromTemplate(
  stores: PushStores,
  details: RepositoryDetails & { readonly firstCommit: FirstCommit },
  start: PaperStart,
): Promise<CreateRepositoryOutcome> {
  const { owner, name, description, firstCommit } = details
  const files = fillPaperStart(start, { title: description ?? name, author: owner.name ?? owner.login })
  // Begun before anybody sees the repository: one that is there has its build, or gets it from the next start.
  const finish: FinishRepository = async (repositoryId, markReady) => {
    const head = await stores.git.findBranch(repositoryId, defaultBranch)
    if (head === null) return markReady()
    const updates = [{ ref: `refs/heads/${head.name}`, oldCommitId: null, newCommitId: head.commitId }]
    return (await stores.papers.moveRefs({ repositoryId, userId: owner.id, updates }, markReady)).outcome
  }
  return createRepository(stores, { ...details, firstCommit: { ...firstCommit, files } }, { finish })
}
