import type { Build } from '../../domain/build.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import type { ExpiredLease } from '../../store/builds/build-leases.ts'
import type { PapersContext } from './queue-documents.ts'
import { refuse } from './run-build.ts'

/** A build whose workers are lost this often fails: it may be what ends them. */
const MAX_LOST_LEASES = 3

/** A command that queues its own builds starts them sooner. */
const QUEUED_ELSEWHERE_MS = 60_000

/** Requeues the builds that an earlier process, known as `worker`, left in the queue, until `signal` aborts. */
export async function recoverBuilds(
  context: PapersContext,
  { worker, signal }: { readonly worker: string; readonly signal: AbortSignal },
): Promise<void> {
  await context.store.buildLeases.releaseOf(worker)
  await takeUp(await context.store.builds.listQueued(), context, signal)
}

/** Requeues builds whose worker has not renewed its lease, and those that no process has taken. */
export async function takeUpAbandoned(
  context: PapersContext,
  { signal, now = Date.now() }: { readonly signal: AbortSignal; readonly now?: number },
): Promise<void> {
  const { builds, buildLeases } = context.store
  const requeued: Build[] = []
  for (const expired of await buildLeases.listExpired({ now })) {
    signal.throwIfAborted()
    const { buildId } = expired.lease
    // This process works on it, and could not renew the lease in time.
    if (context.queue.has(buildId)) continue
    const build = (await loseLease(expired, context)) ? await builds.find(buildId) : null
    if (build !== null) requeued.push(build)
  }
  const waiting = await builds.listQueued({ before: now - QUEUED_ELSEWHERE_MS })
  const abandoned = [...requeued, ...waiting].filter(({ id }) => !context.queue.has(id))
  const unique = new Map(abandoned.map((build) => [build.id, build]))
  await takeUp([...unique.values()], context, signal)
}

/** Returns whether the build is back in the queue. */
async function loseLease({ lease, lostCount }: ExpiredLease, { store }: PapersContext): Promise<boolean> {
  if (lostCount + 1 < MAX_LOST_LEASES) return store.buildLeases.expire(lease)
  const message =
    `The build was started ${MAX_LOST_LEASES} times, and each time the program that ran it stopped responding. ` +
    'Build again; if that fails too, ask the administrator to look into the log of the workers.'
  await store.builds.finish(lease.buildId, refuse(message), lease)
  return false
}

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
