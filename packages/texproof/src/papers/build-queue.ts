/**
 * Which build runs next, in this process. The database remembers the queue; this decides its order.
 *
 * Branches go before tags and commits, which somebody asked for out of turn and which are kept once built. Then it is
 * fair between repositories: the one with the fewest builds running goes first, then the one that has waited longest
 * since its last start, so that two hundred pushes of one owner do not hold up the next one's first paper. Within a
 * repository the newest push goes first, and a push replaces whatever an earlier push of the same ref still has here:
 * nobody waits for a state of the paper that its author has already left behind.
 */
import type { Build } from '../domain/build.ts'

export interface BuildQueueOptions {
  /** Builds at once. */
  readonly concurrency: number
  /** Runs one build to its end and records it. Rejects when `signal` fires. */
  readonly run: (build: Build, signal: AbortSignal) => Promise<void>
  /** Records that builds were replaced before they ended. */
  readonly cancel: (buildIds: readonly number[]) => Promise<void>
  /** Told of what `run` or `cancel` could not handle. */
  readonly onFault: (error: unknown) => void
}

export interface BuildQueue {
  /**
   * Queues the builds of one push, in the order in which they should run, and replaces earlier ones of the same ref.
   * Builds that are over already only replace.
   */
  add(builds: readonly Build[]): void
  /** What waits for its turn, of one repository. */
  waitingOf(repositoryId: number): readonly Build[]
  /** Resolves when the build is over, at once when it is not here. */
  whenOver(buildId: number): Promise<void>
  /** Takes one build out of the queue, or aborts it, and records it as cancelled; nothing where it is not here. */
  stop(buildId: number): Promise<void>
  /** Aborts what runs and forgets what waits, without recording either: the next process takes them up again. */
  close(): Promise<void>
}

interface Entry {
  readonly build: Build
  readonly abort: AbortController
  readonly over: PromiseWithResolvers<void>
}

/** Makes an empty queue that runs builds as they come. */
export function createBuildQueue(options: BuildQueueOptions): BuildQueue {
  /** Newest push first. */
  let waiting: readonly Entry[] = []
  const running = new Set<Entry>()
  const lastStartOf = new Map<number, number>()
  let startCount = 0
  let isClosed = false

  function add(builds: readonly Build[]): void {
    if (isClosed || builds.length === 0) return
    const entries = builds
      .filter(({ state }) => state === 'queued')
      .map((build) => ({ build, abort: new AbortController(), over: Promise.withResolvers<void>() }))
    const isReplaced = ({ build }: Entry): boolean =>
      builds.some(
        ({ repositoryId, ref, id }) => repositoryId === build.repositoryId && ref === build.ref && id > build.id,
      )
    const replaced = waiting.filter(isReplaced)
    waiting = [...entries, ...waiting.filter((entry) => !isReplaced(entry))]
    if (replaced.length > 0) void recordCancelled(replaced)
    for (const entry of running) if (isReplaced(entry)) entry.abort.abort()
    startNext()
  }

  async function recordCancelled(entries: readonly Entry[]): Promise<void> {
    try {
      await options.cancel(entries.map(({ build }) => build.id))
    } catch (error) {
      options.onFault(error)
    }
    for (const { over } of entries) over.resolve()
  }

  function startNext(): void {
    while (running.size < options.concurrency && waiting.length > 0) {
      const next = chooseNext()
      waiting = waiting.filter((entry) => entry !== next)
      void start(next)
    }
  }

  function chooseNext(): Entry {
    const runningOf = Map.groupBy(running, ({ build }) => build.repositoryId)
    const rank = ({ build }: Entry): readonly number[] => [
      build.ref.startsWith('refs/heads/') ? 0 : 1,
      runningOf.get(build.repositoryId)?.length ?? 0,
      lastStartOf.get(build.repositoryId) ?? 0,
    ]
    return waiting.reduce((best, entry) => (isBefore(rank(entry), rank(best)) ? entry : best))
  }

  async function start(entry: Entry): Promise<void> {
    const { build, abort, over } = entry
    running.add(entry)
    lastStartOf.set(build.repositoryId, ++startCount)
    try {
      await options.run(build, abort.signal)
    } catch (error) {
      if (!abort.signal.aborted) options.onFault(error)
      else if (!isClosed) await recordCancelled([entry])
    } finally {
      running.delete(entry)
      over.resolve()
      if (!isClosed) startNext()
    }
  }

  return {
    add,
    waitingOf: (repositoryId) => waiting.flatMap(({ build }) => (build.repositoryId === repositoryId ? [build] : [])),
    async whenOver(buildId) {
      await [...running, ...waiting].find(({ build }) => build.id === buildId)?.over.promise
    },
    async stop(buildId) {
      const entry = [...running, ...waiting].find(({ build }) => build.id === buildId)
      if (entry === undefined) return
      entry.abort.abort()
      if (waiting.includes(entry)) {
        waiting = waiting.filter((each) => each !== entry)
        await recordCancelled([entry])
      }
      await entry.over.promise
    },
    async close() {
      isClosed = true
      for (const { over } of waiting) over.resolve()
      waiting = []
      for (const { abort } of running) abort.abort()
      await Promise.all([...running].map(({ over }) => over.promise))
    },
  }
}

/** The first difference decides. */
function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((value, place) => value !== right[place])
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0)
}
