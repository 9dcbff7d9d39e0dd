/**
 * Decides which build of this process runs next. The queue is stored in the database, where a build is taken with a
 * lease; this module orders it.
 *
 * The queue is fair between owners of repositories, however many repositories they have: the owner with the least
 * recent build time goes first; of two equals, the one who has waited longer. Build time decays with a half-life, and
 * running builds count while they run. Within an owner, branches go before tags and commits that were requested out of
 * turn, then the repository with the fewest running builds, then the one that has waited longest since its last start,
 * then the newest push. A push replaces the earlier builds of the same ref.
 *
 * Order alone does not help while endless loops hold every slot until their timeout. Three rules keep a slot available
 * to an owner without running builds when the other owners are heavy, that is, well ahead in recent build time:
 *
 * 1. If a heavy owner holds more than all slots but one, its youngest build returns to the queue.
 * 2. If that frees no slot, one build runs beyond the slots.
 * 3. For some seconds after such an owner started a build, the last slot is only for owners without running builds.
 *    Otherwise the next push would find a heavy owner in it again, with a build that has just started.
 *
 * No owner starves: each keeps one running build, and a single owner uses every slot.
 */
import type { Build } from '../../domain/build.ts'
import { createWaitingBuilds } from './waiting-builds.ts'

/** The reserve slot opens for an owner this far behind the owners of running builds. */
export const HEAVY_MS = 5_000
/** How long the last slot stays free after the build of an owner behind heavy ones started. */
export const KEEP_FREE_MS = 10_000
/** Build time counts half after this long. */
const HALF_LIFE_MS = 10 * 60_000
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
   * Queues the builds of one push, in the order in which they should run, and replaces earlier ones of the same ref.
   * Builds that are over already only replace.
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
  /** Number of builds that wait or run in this queue. */
  count(): number
  /** Whether the build waits or runs in this queue. */
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

interface Entry {
  readonly build: Build
  readonly ownerId: string
  readonly abort: AbortController
  readonly over: PromiseWithResolvers<void>
  /** In the time of `now`; null while the build waits. */
  startedAt: number | null
  /** Set when a running build loses its slot. */
  isPreempted: boolean
}

/** Creates an empty queue, which runs builds as they are added. */
export function createBuildQueue(options: BuildQueueOptions): BuildQueue {
  const { countSlots, now = () => performance.now() } = options
  /** Newest push first. */
  const waiting = createWaitingBuilds<Entry>()
  const running = new Set<Entry>()
  const usage = createBuildTime()
  const lastStartOf = new Map<number, number>()
  let startCount = 0
  let keepFreeUntil = Number.NEGATIVE_INFINITY
  let isClosed = false
  let lookAgain: NodeJS.Timeout | null = null

  function add(builds: readonly Build[], { ownerId }: { readonly ownerId: string }): void {
    if (isClosed || builds.length === 0) return
    const entries = builds.filter(({ state }) => state === 'queued').map((build) => createEntry(build, ownerId))
    const isReplaced = ({ build }: Entry): boolean =>
      builds.some(
        ({ repositoryId, ref, id }) => repositoryId === build.repositoryId && ref === build.ref && id > build.id,
      )
    const replaced = builds.flatMap((build) => waiting.listOfRef(build).filter(isReplaced)).filter(waiting.remove)
    waiting.add(entries, 'front')
    if (replaced.length > 0) void recordCancelled(replaced)
    for (const entry of running) if (isReplaced(entry)) cancelRunning(entry)
    startNext()
  }

  function cancelRunning(entry: Entry): void {
    entry.isPreempted = false
    entry.abort.abort()
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
    if (lookAgain !== null) clearTimeout(lookAgain)
    lookAgain = null
    for (let next = chooseNext(); next !== null; next = chooseNext()) {
      waiting.remove(next)
      void start(next)
    }
    if (waiting.size > 0 && running.size <= countSlots()) lookAgain = setTimeout(startNext, LOOK_AGAIN_MS).unref()
  }

  /** Returns null if nothing may start now. */
  function chooseNext(): Entry | null {
    const isFull = running.size >= countSlots()
    // Without a heavy owner, nobody may use the reserve.
    if (isFull && [...running].every((entry) => usageOf(entry.ownerId) <= HEAVY_MS)) return null
    const ownerId = chooseOwner((each) => (isFull ? isReserveOpenFor(each) : isSlotFreeFor(each)))
    const next = ownerId === null ? null : chooseOfOwner(ownerId)
    if (next === null) return null
    if (listHeavy(next.ownerId).length > 0) keepFreeUntil = now() + KEEP_FREE_MS
    if (isFull) takeBackSurplus(next.ownerId)
    return next
  }

  /** The owner with the least recent build time, of two equals the one who has waited longest. */
  function chooseOwner(isEligible: (ownerId: string) => boolean): string | null {
    let chosen: { readonly ownerId: string; readonly usageMs: number } | null = null
    for (const ownerId of waiting.owners().keys()) {
      if (!isEligible(ownerId)) continue
      const usageMs = usageOf(ownerId)
      const isFirst =
        chosen === null ||
        usageMs < chosen.usageMs ||
        (usageMs === chosen.usageMs && oldestIdOf(ownerId) < oldestIdOf(chosen.ownerId))
      if (isFirst) chosen = { ownerId, usageMs }
    }
    return chosen?.ownerId ?? null
  }

  function oldestIdOf(ownerId: string): number {
    let oldestId = Number.POSITIVE_INFINITY
    for (const { build } of waiting.owners().get(ownerId) ?? []) oldestId = Math.min(oldestId, build.id)
    return oldestId
  }

  function chooseOfOwner(ownerId: string): Entry | null {
    let chosen: { readonly entry: Entry; readonly rank: readonly number[] } | null = null
    for (const entry of waiting.owners().get(ownerId) ?? []) {
      const rank = rankOf(entry)
      if (chosen === null || isBefore(rank, chosen.rank)) chosen = { entry, rank }
    }
    return chosen?.entry ?? null
  }

  /** Of one owner, lower ranks start first. */
  function rankOf(entry: Entry): readonly number[] {
    const { ref, repositoryId } = entry.build
    return [
      ref.startsWith('refs/heads/') ? 0 : 1,
      [...running].filter(({ build }) => build.repositoryId === repositoryId).length,
      lastStartOf.get(repositoryId) ?? 0,
      waiting.positionOf(entry),
    ]
  }

  /** Recent build time; each running build counts a moment in advance, so that owners take turns within one moment. */
  function usageOf(ownerId: string): number {
    const at = now()
    const own = [...running].filter((entry) => entry.ownerId === ownerId)
    return own.reduce((sum, { startedAt }) => sum + 1 + at - (startedAt ?? at), usage.of(ownerId, at))
  }

  function isReserveOpenFor(ownerId: string): boolean {
    if (running.size > countSlots() || hasRunning(ownerId)) return false
    return listHeavy(ownerId).length > 0
  }

  function isSlotFreeFor(ownerId: string): boolean {
    const isLast = running.size >= countSlots() - 1
    return !(isLast && now() < keepFreeUntil && hasRunning(ownerId))
  }

  function hasRunning(ownerId: string): boolean {
    return [...running].some((entry) => entry.ownerId === ownerId)
  }

  /** Running builds of owners well ahead of this one in recent build time. */
  function listHeavy(ownerId: string): readonly Entry[] {
    return [...running].filter((entry) => usageOf(entry.ownerId) - usageOf(ownerId) > HEAVY_MS)
  }

  /**
   * Stops the youngest build of a heavy owner who holds too many slots. Until it has ended, it occupies the reserve
   * slot.
   */
  function takeBackSurplus(ownerId: string): void {
    const held = Map.groupBy(running, (entry) => entry.ownerId)
    // In the order in which they started.
    const surplus = listHeavy(ownerId).filter((entry) => {
      const own = held.get(entry.ownerId) ?? []
      return own.length > Math.max(1, countSlots() - 1) && own.every(({ isPreempted }) => !isPreempted)
    })
    const youngest = surplus.at(-1)
    if (youngest === undefined) return
    youngest.isPreempted = true
    youngest.abort.abort()
  }

  async function start(entry: Entry): Promise<void> {
    const { build, abort, over, ownerId } = entry
    running.add(entry)
    entry.startedAt = now()
    lastStartOf.set(build.repositoryId, ++startCount)
    let isOver = true
    try {
      if ((await options.run(build, abort.signal)) === 'again') isOver = await waitAgain(entry)
    } catch (error) {
      if (!abort.signal.aborted) options.onFault(error)
      else if (entry.isPreempted && !isClosed) isOver = await putBack(entry)
      else if (!isClosed) await recordCancelled([entry])
    } finally {
      running.delete(entry)
      usage.add(ownerId, now() - entry.startedAt, now())
      if (isOver) over.resolve()
      if (!isClosed) startNext()
    }
  }

  /** Returns whether the build is over: it counts as over if this cannot be recorded. */
  async function putBack(entry: Entry): Promise<boolean> {
    try {
      await options.requeue(entry.build.id)
    } catch (error) {
      options.onFault(error)
      return true
    }
    return waitAgain(entry)
  }

  async function waitAgain(entry: Entry): Promise<boolean> {
    // A newer push may have replaced it in the meantime.
    if (entry.abort.signal.aborted && !entry.isPreempted) {
      await recordCancelled([entry])
      return true
    }
    if (isClosed) return true
    waiting.add([{ ...createEntry(entry.build, entry.ownerId), over: entry.over }], 'back')
    return false
  }

  function find(buildId: number): Entry | null {
    return waiting.find(buildId) ?? [...running].find(({ build }) => build.id === buildId) ?? null
  }

  return {
    add,
    refresh() {
      if (!isClosed) startNext()
    },
    waitingOf: (repositoryId) => waiting.listOfRepository(repositoryId).map(({ build }) => build),
    count: () => running.size + waiting.size,
    has: (buildId) => find(buildId) !== null,
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

function createEntry(build: Build, ownerId: string): Entry {
  const [abort, over] = [new AbortController(), Promise.withResolvers<void>()]
  return { build, ownerId, abort, over, startedAt: null, isPreempted: false }
}

/** Milliseconds by owner, which decay with time. Entries older than an hour are removed. */
function createBuildTime() {
  const known = new Map<string, { readonly ms: number; readonly at: number }>()
  function of(ownerId: string, at: number): number {
    const kept = known.get(ownerId)
    return kept === undefined ? 0 : kept.ms * 0.5 ** ((at - kept.at) / HALF_LIFE_MS)
  }
  function add(ownerId: string, ms: number, at: number): void {
    known.set(ownerId, { ms: of(ownerId, at) + ms, at })
    for (const [id, kept] of known) if (at - kept.at > 6 * HALF_LIFE_MS) known.delete(id)
  }
  return { of, add }
}

/** The first difference decides. */
function isBefore(left: readonly number[], right: readonly number[]): boolean {
  const index = left.findIndex((value, place) => value !== right[place])
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0)
}
