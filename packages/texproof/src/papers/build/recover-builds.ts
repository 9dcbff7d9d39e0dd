import type { Build } from '../../domain/build.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import type { PapersContext } from './queue-documents.ts'

/** Takes up the builds that an earlier process left in the queue. */
export async function recoverBuilds(context: PapersContext): Promise<void> {
  const queued = await context.store.builds.recoverQueue()
  const pushes = Map.groupBy(queued, ({ repositoryId, ref, commitId }) => `${repositoryId} ${commitId} ${ref}`)
  for (const builds of pushes.values()) await requeue(builds, context)
}

/** What was asked for a tag or a commit stays asked for. Builds of a commit that is no longer the branch's head were replaced while nobody could say so. */
async function requeue(builds: readonly Build[], { git, store, queue }: PapersContext): Promise<void> {
  const first = builds[0]
  const repository = first === undefined ? null : await store.repositories.findById(first.repositoryId)
  const isWanted = async ({ repositoryId, ref, commitId }: Build): Promise<boolean> =>
    !ref.startsWith('refs/heads/') || (await git.findBranch(repositoryId, shortRefName(ref)))?.commitId === commitId
  if (first !== undefined && repository !== null && (await isWanted(first)))
    queue.add(builds, { ownerId: repository.owner.id })
  else await store.builds.cancel(builds.map(({ id }) => id))
}
