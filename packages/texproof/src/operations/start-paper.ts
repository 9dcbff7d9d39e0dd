import type { Repository } from '../domain/types.ts'
import type { GitStore } from '../git/types.ts'
import type { Papers } from '../papers/types.ts'
import type { Store } from '../store/store.ts'
import { fillPaperStart } from '../templates/paper-starts.ts'
import type { PaperStart } from '../templates/paper-starts.ts'
import { createRepository } from './create-repository.ts'
import type { CreateRepositoryOutcome, FirstCommit, RepositoryDetails } from './create-repository.ts'

interface Stores {
  readonly store: Store
  readonly git: GitStore
  readonly papers: Pick<Papers, 'expectPush' | 'queuePushedBranch'>
}

/** Makes a repository that begins with a paper by its owner, and asks for the PDF as a push would. */
export async function startPaper(
  stores: Stores,
  details: RepositoryDetails & { readonly firstCommit: FirstCommit },
  start: PaperStart,
): Promise<CreateRepositoryOutcome> {
  const { owner, name, description, firstCommit } = details
  const files = fillPaperStart(start, { title: description ?? name, author: owner.name ?? owner.login })
  // Noted before anybody sees the repository: one that is there has its build, or is found by the next start.
  const notes: (() => Promise<void>)[] = []
  const beforeReady = async (id: number): Promise<void> => void notes.push(await stores.papers.expectPush(id))
  const outcome = await createRepository(
    stores,
    { ...details, firstCommit: { ...firstCommit, files } },
    { beforeReady },
  )
  if (outcome.kind === 'created') await queueFirstBuild(stores, outcome.repository)
  for (const forget of notes) await forget()
  return outcome
}

async function queueFirstBuild({ git, papers }: Stores, repository: Repository): Promise<void> {
  const head = await git.findBranch(repository.id, repository.defaultBranch)
  if (head === null) return
  await papers.queuePushedBranch({ repository, ref: `refs/heads/${head.name}`, commitId: head.commitId })
}
