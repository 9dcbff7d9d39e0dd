import type { Build } from '../domain/build.ts'
import { shortRefName } from './addresses.ts'
import type { PushJournal } from './push-journal.ts'
import { queueDocuments, type PapersContext } from './queue-documents.ts'
import { recoverDefaultBranch } from './recover-default-branch.ts'

/**
 * Takes up what an earlier process left: builds in the queue, and pushes that were never settled.
 *
 * Afterwards every branch head that the earlier process was told of is built or in the queue.
 */
export async function recoverBuilds(context: PapersContext, leftOver: PushJournal['leftOver']): Promise<void> {
  const queued = await context.store.builds.recoverQueue()
  const pushes = Map.groupBy(queued, ({ repositoryId, ref, commitId }) => `${repositoryId} ${commitId} ${ref}`)
  for (const builds of pushes.values()) await requeue(builds, context)
  for (const { repositoryId, erase } of leftOver) {
    await settleLeftOver(repositoryId, context)
    await erase()
  }
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

async function settleLeftOver(repositoryId: number, context: PapersContext): Promise<void> {
  const { git, store } = context
  const found = await store.repositories.findById(repositoryId)
  if (found === null) return
  const repository = await recoverDefaultBranch(context, found)
  for (const { name, commitId } of await git.listBranches(repositoryId)) {
    const ref = `refs/heads/${name}`
    const newest = await store.builds.findNewest(repositoryId, { ref, document: null })
    if (newest?.commitId !== commitId) await queueDocuments({ repository, ref, commitId }, context)
  }
}
