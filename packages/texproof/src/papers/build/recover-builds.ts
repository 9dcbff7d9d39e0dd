import type { Build } from '../../domain/build.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import type { PapersContext } from './queue-documents.ts'

/** Requeues the builds that an earlier process left in the queue, until `signal` aborts. */
export async function recoverBuilds(
  context: PapersContext,
  { signal }: { readonly signal: AbortSignal },
): Promise<void> {
  await takeUp(await context.store.builds.recoverQueue(), context, signal)
}

/**
 * Requeues builds that no process works on: a command was killed, or the database could not record the outcome. The
 * time of a build is limited, so a build that has run for `leaseMs` has lost its process.
 */
export async function takeUpAbandoned(
  context: PapersContext,
  { leaseMs, signal }: { readonly leaseMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const { builds } = context.store
  const now = Date.now()
  const wanted = { startedBefore: now - leaseMs, queuedBefore: now - QUEUED_ELSEWHERE_MS }
  const ids = (await builds.listUnfinished(wanted)).filter((id) => !context.queue.has(id))
  const abandoned: Build[] = []
  for (const id of ids) {
    signal.throwIfAborted()
    await builds.requeue(id)
    const build = await builds.find(id)
    if (build?.state === 'queued') abandoned.push(build)
  }
  await takeUp(abandoned, context, signal)
}

/** A command that queues its own builds starts them sooner. */
const QUEUED_ELSEWHERE_MS = 60_000

async function takeUp(queued: readonly Build[], context: PapersContext, signal: AbortSignal): Promise<void> {
  const pushes = Map.groupBy(queued, ({ repositoryId, ref, commitId }) => `${repositoryId} ${commitId} ${ref}`)
  for (const builds of pushes.values()) {
    signal.throwIfAborted()
    await requeue(builds, context)
  }
}

/**
 * A requested build of a tag or a commit is still wanted. A build of a commit that is no longer the head of its branch
 * was replaced while no process could record it.
 */
async function requeue(builds: readonly Build[], { git, store, queue }: PapersContext): Promise<void> {
  const first = builds[0]
  const repository = first === undefined ? null : await store.repositories.findById(first.repositoryId)
  const isWanted = async ({ repositoryId, ref, commitId }: Build): Promise<boolean> =>
    !ref.startsWith('refs/heads/') || (await git.findBranch(repositoryId, shortRefName(ref)))?.commitId === commitId
  if (first !== undefined && repository !== null && (await isWanted(first)))
    queue.add(builds, { ownerId: repository.owner.id })
  else await store.builds.cancel(builds.map(({ id }) => id))
}
