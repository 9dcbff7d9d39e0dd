/**
 * The order of the builds of a process, fair between owners of repositories, however many repositories they have: the
 * owner with the least recent build time goes first; of two equals, the one who has waited longer. Build time decays with
 * a half-life, and running builds count while they run. Within an owner, branches go before tags and commits that were
 * requested out of turn, then the repository with the fewest running builds, then the one that has waited longest since
 * its last start, then the newest push.
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
import { createWaitingBuilds, type WaitingBuilds } from './waiting-builds.ts'

/** The reserve slot opens for an owner this far behind the owners of running builds. */
export const HEAVY_MS = 5_000
/** How long the last slot stays free after the build of an owner behind heavy ones started. */
export const KEEP_FREE_MS = 10_000
/** Build time counts half after this long. */
const HALF_LIFE_MS = 10 * 60_000

/** A build of the queue. */
export interface QueuedBuild {
  readonly build: Build
  readonly ownerId: string
  readonly abort: AbortController
  readonly over: PromiseWithResolvers<void>
  /** Start time by the clock `now`; null while the build waits. */
  startedAt: number | null
  /** Set when a running build loses its slot. */
  isPreempted: boolean
}

/** The builds of a process, and what the order of the waiting ones depends on. */
export interface FairQueue {
  readonly waiting: WaitingBuilds<QueuedBuild>
  /** Running builds, in the order in which they started. */
  readonly running: Set<QueuedBuild>
  /** Number of builds that may run at once now. */
  readonly countSlots: () => number
  /** A clock in milliseconds. */
  readonly now: () => number
  /** Recent build time by owner. */
  readonly usage: ReturnType<typeof createBuildTime>
  /** The number of the last start of each repository, of `startCount`. */
  readonly lastStartOf: Map<number, number>
  startCount: number
  /** Time until which the last slot is reserved for owners without running builds. */
  keepFreeUntil: number
}

/** Creates an empty queue. */
export function createFairQueue({ countSlots, now }: Pick<FairQueue, 'countSlots' | 'now'>): FairQueue {
  return {
    waiting: createWaitingBuilds<QueuedBuild>(),
    running: new Set(),
    countSlots,
    now,
    usage: createBuildTime(),
    lastStartOf: new Map(),
    startCount: 0,
    keepFreeUntil: Number.NEGATIVE_INFINITY,
  }
}

/** Records that a build starts. */
export function noteStart(queue: FairQueue, entry: QueuedBuild): void {
  queue.running.add(entry)
  entry.startedAt = queue.now()
  queue.startCount += 1
  queue.lastStartOf.set(entry.build.repositoryId, queue.startCount)
}

/** Records that a running build has ended. */
export function noteEnd(queue: FairQueue, entry: QueuedBuild): void {
  const at = queue.now()
  queue.running.delete(entry)
  queue.usage.add(entry.ownerId, at - (entry.startedAt ?? at), at)
}

/** The build to start; null if none may start now. May stop a build of a heavy owner to make room. */
export function chooseNext(queue: FairQueue): QueuedBuild | null {
  const isFull = queue.running.size >= queue.countSlots()
  // Without a heavy owner, the reserve is not used.
  if (isFull && [...queue.running].every((entry) => usageOf(queue, entry.ownerId) <= HEAVY_MS)) return null
  const ownerId = chooseOwner(queue, (each) => (isFull ? isReserveOpenFor(queue, each) : isSlotFreeFor(queue, each)))
  const next = ownerId === null ? null : chooseOfOwner(queue, ownerId)
  if (next === null) return null
  if (listHeavy(queue, next.ownerId).length > 0) queue.keepFreeUntil = queue.now() + KEEP_FREE_MS
  if (isFull) takeBackSurplus(queue, next.ownerId)
  return next
}

/** The owner with the least recent build time, of two equals the one who has waited longest. */
function chooseOwner(queue: FairQueue, isEligible: (ownerId: string) => boolean): string | null {
  let chosen: { readonly ownerId: string; readonly usageMs: number } | null = null
  for (const ownerId of queue.waiting.owners().keys()) {
    if (!isEligible(ownerId)) continue
    const usageMs = usageOf(queue, ownerId)
    const isFirst =
      chosen === null ||
      usageMs < chosen.usageMs ||
      (usageMs === chosen.usageMs && oldestIdOf(queue, ownerId) < oldestIdOf(queue, chosen.ownerId))
    if (isFirst) chosen = { ownerId, usageMs }
  }
  return chosen?.ownerId ?? null
}

function oldestIdOf(queue: FairQueue, ownerId: string): number {
  let oldestId = Number.POSITIVE_INFINITY
  for (const { build } of queue.waiting.owners().get(ownerId) ?? []) oldestId = Math.min(oldestId, build.id)
  return oldestId
}

function chooseOfOwner(queue: FairQueue, ownerId: string): QueuedBuild | null {
  let chosen: { readonly entry: QueuedBuild; readonly rank: readonly number[] } | null = null
  for (const entry of queue.waiting.owners().get(ownerId) ?? []) {
    const rank = rankOf(queue, entry)
    if (chosen === null || isBefore(rank, chosen.rank)) chosen = { entry, rank }
  }
  return chosen?.entry ?? null
}

/** Rank among the builds of one owner; the lowest starts first. */
function rankOf(queue: FairQueue, entry: QueuedBuild): readonly number[] {
  const { ref, repositoryId } = entry.build
  return [
    ref.startsWith('refs/heads/') ? 0 : 1,
    [...queue.running].filter(({ build }) => build.repositoryId === repositoryId).length,
    queue.lastStartOf.get(repositoryId) ?? 0,
    queue.waiting.positionOf(entry),
  ]
}

/** Recent build time; each running build counts a moment in advance, so that owners take turns within one moment. */
function usageOf(queue: FairQueue, ownerId: string): number {
  const at = queue.now()
  const own = [...queue.running].filter((entry) => entry.ownerId === ownerId)
  return own.reduce((sum, { startedAt }) => sum + 1 + at - (startedAt ?? at), queue.usage.of(ownerId, at))
}

function isReserveOpenFor(queue: FairQueue, ownerId: string): boolean {
  if (queue.running.size > queue.countSlots() || hasRunning(queue, ownerId)) return false
  return listHeavy(queue, ownerId).length > 0
}

function isSlotFreeFor(queue: FairQueue, ownerId: string): boolean {
  const isLast = queue.running.size >= queue.countSlots() - 1
  return !(isLast && queue.now() < queue.keepFreeUntil && hasRunning(queue, ownerId))
}

function hasRunning(queue: FairQueue, ownerId: string): boolean {
  return [...queue.running].some((entry) => entry.ownerId === ownerId)
}

/** Running builds of owners well ahead of this one in recent build time. */
function listHeavy(queue: FairQueue, ownerId: string): readonly QueuedBuild[] {
  return [...queue.running].filter((entry) => usageOf(queue, entry.ownerId) - usageOf(queue, ownerId) > HEAVY_MS)
}

/**
 * Stops the youngest build of a heavy owner who holds too many slots. Until it has ended, it occupies the reserve
 * slot.
 */
function takeBackSurplus(queue: FairQueue, ownerId: string): void {
  const held = Map.groupBy(queue.running, (entry) => entry.ownerId)
  const surplus = listHeavy(queue, ownerId).filter((entry) => {
    const own = held.get(entry.ownerId) ?? []
    return own.length > Math.max(1, queue.countSlots() - 1) && own.every(({ isPreempted }) => !isPreempted)
  })
  const youngest = surplus.at(-1)
  if (youngest === undefined) return
  youngest.isPreempted = true
  youngest.abort.abort()
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
