/**
 * Runs the builds of this process, in the order of `fair-queue.ts`. The queue is stored in the database, where a build is
 * taken with a lease. A push replaces the earlier builds of the same ref.
 */
import type { Build } from '../../domain/build.ts'
import { chooseNext, createFairQueue, noteEnd, noteStart, type QueuedBuild } from './fair-queue.ts'

/** How often waiting builds are checked again: running ones become heavy as time passes. */
const LOOK_AGAIN_MS = 500

/** `over` = nothing is left to do. `again` = the build is back in the queue, for example because its worker ended. */
export type BuildEnd = 'over' | 'again'

export interface BuildQueueOptions {
  /** Number of builds that may run at once now; call `refresh` when it grows. */
  readonly countSlots: () => number
  /** Runs one build until it ends and records it. Rejects when `signal` aborts. */
  readonly run: (build: Build, signal: AbortSignal) => Promise<BuildEnd>
  /** Records that builds were replaced before they ended. */
  readonly cancel: (buildIds: readonly number[]) => Promise<void>
  /** Records that a running build is back in the queue. */
  readonly requeue: (buildId: number) => Promise<void>
  /** Called with errors that `run`, `cancel` or `requeue` could not handle. */
  readonly onFault: (error: unknown) => void
  /** A clock in milliseconds. @default performance.now */
  readonly now?: () => number
}

export interface BuildQueue {
  /**
   * Announces builds that are stored, and will be added or forgotten: until then, they are not to be taken up as those that
   * another process left.
   */
  expect(buildIds: readonly number[]): void
  /** Ends this for builds that are not added. */
  forget(buildIds: readonly number[]): void
  /**
   * Queues the builds of one push, in the order in which they should run, and replaces earlier ones of the same ref. Builds
   * that are over already only replace. Some of the builds may be added again, and replace none of the others.
   */
  add(builds: readonly Build[], options: { readonly ownerId: string }): void
  /** Starts builds if there are more slots than before. */
  refresh(): void
  /** The waiting builds of one repository. */
  waitingOf(repositoryId: number): readonly Build[]
  /** Every waiting build. */
  listWaiting(): readonly Build[]
  listRunning(): readonly Build[]
  /** Removes a waiting build that another process has started; does nothing if it no longer waits. */
  drop(buildId: number): void
  /** Number of builds that wait on behalf of an owner. */
  countWaiting(ownerId: string): number
  /** Number of builds that wait or run in this queue. */
  count(): number
  /** Whether the build waits or runs in this queue, or is expected. */
  has(buildId: number): boolean
  /** Resolves when the build is over; immediately if it is not in this queue. */
  whenOver(buildId: number): Promise<void>
  /**
   * Removes one build from the queue, or aborts it, and records it as cancelled. Does nothing if it is not in this
   * queue.
   */
  stop(buildId: number): Promise<void>
  /** Aborts running builds and drops waiting ones, without recording either: the next process resumes them. */
  close(): Promise<void>
}

/** Creates an empty queue, which runs builds as they are added. */
export function createBuildQueue(options: BuildQueueOptions): BuildQueue {
  const { countSlots, now = () => performance.now() } = options
  const queue = createFairQueue({ countSlots, now })
  const { waiting, running } = queue
  const expected = new Set<number>()
  let isClosed = false
  let lookAgain: NodeJS.Timeout | null = null

  function add(builds: readonly Build[], { ownerId }: { readonly ownerId: string }): void {
    forget(builds.map(({ id }) => id))
    if (isClosed || builds.length === 0) return
    const entries = builds.filter(({ state }) => state === 'queued').map((build) => createEntry(build, ownerId))
    const isReplaced = ({ build }: QueuedBuild): boolean => builds.some((newer) => replaces(newer, build))
    const replaced = builds.flatMap((build) => waiting.listOfRef(build).filter(isReplaced)).filter(waiting.remove)
    waiting.add(entries, 'front')
    if (replaced.length > 0) void recordCancelled(replaced)
    for (const entry of running) if (isReplaced(entry)) cancelRunning(entry)
    startNext()
  }

  function cancelRunning(entry: QueuedBuild): void {
    entry.isPreempted = false
    entry.abort.abort()
  }

  async function recordCancelled(entries: readonly QueuedBuild[]): Promise<void> {
    try {
      await options.cancel(entries.map(({ build }) => build.id))
    } catch (error) {
      options.onFault(error)
    }
    for (const { over } of entries) over.resolve()
  }

  function startNext(): void {
    if (lookAgain !== null) clearTimeout(lookAgain)
    lookAgain = null
    for (let next = chooseNext(queue); next !== null; next = chooseNext(queue)) {
      waiting.remove(next)
      void start(next)
    }
    if (waiting.size > 0 && running.size <= countSlots()) lookAgain = setTimeout(startNext, LOOK_AGAIN_MS).unref()
  }

  async function start(entry: QueuedBuild): Promise<void> {
    const { build, abort, over } = entry
    noteStart(queue, entry)
    let isOver = true
    try {
      if ((await options.run(build, abort.signal)) === 'again') isOver = await waitAgain(entry)
    } catch (error) {
      if (!abort.signal.aborted) options.onFault(error)
      else if (entry.isPreempted && !isClosed) isOver = await putBack(entry)
      else if (!isClosed) await recordCancelled([entry])
    } finally {
      noteEnd(queue, entry)
      if (isOver) over.resolve()
      if (!isClosed) startNext()
    }
  }

  /** Returns whether the build is over: it counts as over if this cannot be recorded. */
  async function putBack(entry: QueuedBuild): Promise<boolean> {
    try {
      await options.requeue(entry.build.id)
    } catch (error) {
      options.onFault(error)
      return true
    }
    return waitAgain(entry)
  }

  async function waitAgain(entry: QueuedBuild): Promise<boolean> {
    // A newer push may have replaced it in the meantime.
    if (entry.abort.signal.aborted && !entry.isPreempted) {
      await recordCancelled([entry])
      return true
    }
    if (isClosed) return true
    waiting.add([{ ...createEntry(entry.build, entry.ownerId), over: entry.over }], 'back')
    return false
  }

  function find(buildId: number): QueuedBuild | null {
    return waiting.find(buildId) ?? [...running].find(({ build }) => build.id === buildId) ?? null
  }

  function forget(buildIds: readonly number[]): void {
    for (const id of buildIds) expected.delete(id)
  }

  return {
    expect(buildIds) {
      for (const id of buildIds) expected.add(id)
    },
    forget,
    add,
    refresh() {
      if (!isClosed) startNext()
    },
    waitingOf: (repositoryId) => waiting.listOfRepository(repositoryId).map(({ build }) => build),
    countWaiting: (ownerId) => waiting.owners().get(ownerId)?.size ?? 0,
    count: () => running.size + waiting.size,
    has: (buildId) => expected.has(buildId) || find(buildId) !== null,
    async whenOver(buildId) {
      await find(buildId)?.over.promise
    },
    listWaiting: () => [...waiting.owners().values()].flatMap((entries) => [...entries].map(({ build }) => build)),
    listRunning: () => [...running].map(({ build }) => build),
    drop(buildId) {
      const entry = find(buildId)
      if (entry !== null && waiting.remove(entry)) entry.over.resolve()
    },
    async stop(buildId) {
      const entry = find(buildId)
      if (entry === null) return
      if (waiting.remove(entry)) await recordCancelled([entry])
      else cancelRunning(entry)
      await entry.over.promise
    },
    async close() {
      isClosed = true
      if (lookAgain !== null) clearTimeout(lookAgain)
      for (const { over } of waiting.clear()) over.resolve()
      for (const { abort } of running) abort.abort()
      await Promise.all([...running].map(({ over }) => over.promise))
    },
  }
}

/** Builds of one commit replace each other only if they are of the same document: the others belong to the same push. */
function replaces({ id, repositoryId, ref, commitId, document }: Build, build: Build): boolean {
  const isOfSameRef = repositoryId === build.repositoryId && ref === build.ref
  return isOfSameRef && id > build.id && (commitId !== build.commitId || document === build.document)
}

function createEntry(build: Build, ownerId: string): QueuedBuild {
  const [abort, over] = [new AbortController(), Promise.withResolvers<void>()]
  return { build, ownerId, abort, over, startedAt: null, isPreempted: false }
}
