import type { Build } from '../../domain/build.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import type { PapersContext } from './queue-documents.ts'
import { loseLease } from '../build/lose-lease.ts'
import type { RemoteSlots } from '../build/remote-slots.ts'

/** A command that queues its own builds starts them sooner. */
const QUEUED_ELSEWHERE_MS = 60_000

/** A server of the same database with free slots starts builds that another one has queued for this long. */
export const WAITS_ELSEWHERE_MS = 250

/**
 * Requeues the builds of processes that have ended, known as `workers`, until `signal` aborts. `takesAll` = no other
 * process has builds in its queue.
 */
export async function recoverBuilds(
  context: PapersContext,
  options: { readonly workers: readonly string[]; readonly takesAll: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { workers, takesAll, signal } = options
  for (const worker of workers) await context.store.buildLeases.releaseOf(worker)
  // Otherwise, servers with free slots start them soon, see below.
  if (takesAll) await takeUp(await context.store.builds.listQueued(), context, signal)
}

/**
 * Requeues builds whose worker has not renewed its lease, and those that no process has taken. `worker` = this process,
 * `slots` = the builds that it gave away.
 */
export async function takeUpAbandoned(
  context: PapersContext,
  options: {
    readonly worker: string
    readonly slots: Pick<RemoteSlots, 'end' | 'listLeases'>
    /** Whether this process has free slots. Servers that share the database start the builds of each other then. */
    readonly isIdle?: boolean
    readonly signal: AbortSignal
    readonly now?: number
  },
): Promise<void> {
  const { worker, slots, signal, isIdle = false, now = Date.now() } = options
  const { builds, buildLeases, instances } = context.store
  if (instances !== null) {
    await dropStarted(context)
    await stopCancelled(context)
  }
  const waitMs = isIdle && instances !== null ? WAITS_ELSEWHERE_MS : QUEUED_ELSEWHERE_MS
  // Usually, all of them wait here.
  const ids = await builds.listQueuedIds({ before: now - waitMs })
  const isWaiting = ids.every((id) => context.queue.has(id))
  const abandoned = isWaiting ? [] : [...(await builds.listQueued({ before: now - waitMs }))]
  for (const lease of await buildLeases.listExpired({ now })) {
    signal.throwIfAborted()
    // This process works on it, and could not renew the lease in time.
    if (lease.worker === worker && context.queue.has(lease.buildId)) continue
    const end = await loseLease(lease, { store: context.store, fault: null })
    if (end !== null) slots.end(lease, end)
    const build = end === 'again' ? await builds.find(lease.buildId) : null
    if (build !== null) abandoned.push(build)
  }
  await endLostLeases(context, slots)
  await takeUp(
    abandoned.filter(({ id }) => !context.queue.has(id)).toSorted((left, right) => left.id - right.id),
    context,
    signal,
  )
}

/** Removes builds from the queue of this process that another server has started, or that were cancelled there. */
async function dropStarted({ store, queue }: PapersContext): Promise<void> {
  const waiting = queue.listWaiting()
  if (waiting.length === 0) return
  const queued = new Set(await store.builds.listQueuedIds())
  for (const { id } of waiting) if (!queued.has(id)) queue.drop(id)
}

/** Stops running builds that a newer push to another server has replaced. */
async function stopCancelled({ store, queue }: PapersContext): Promise<void> {
  const running = queue.listRunning().map(({ id }) => id)
  for (const id of await store.builds.listCancelled(running)) void queue.stop(id)
}

/** Another server of the same database may have received the results of builds that this one gave away. */
async function endLostLeases({ store }: PapersContext, slots: Pick<RemoteSlots, 'end' | 'listLeases'>): Promise<void> {
  const leases = slots.listLeases()
  const held = new Set(await store.buildLeases.listHeld(leases))
  for (const lease of leases) {
    if (held.has(lease)) continue
    const build = await store.builds.find(lease.buildId)
    slots.end(lease, build?.state === 'queued' ? 'again' : 'over')
  }
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
