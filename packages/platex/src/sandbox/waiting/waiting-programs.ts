/**
 * Programs that wait for compiles, each in an empty workspace of its own.
 *
 * A compile takes the workspace together with the program in it. Waiting programs have read nothing but the TeX
 * installation and are used once. Recent compiles determine which programs wait; they are started while the machine has
 * a free processor, one at a time, within a share of its memory.
 */
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { availableMemoryBytes, freeMemoryBytes } from '../limits/available-memory.ts'
import type { WorkspaceInputs } from '../limits/limits.ts'
import { memoryBytes } from '../limits/process-tree.ts'
import type { Workspaces } from '../open-workspaces.ts'
import type { ReadAheadOrder, RunReport, Sandbox, SandboxCommand, SandboxRunOptions, WaitingCommand } from '../types.ts'
import { openInputPipe, replaceFiles } from './input-pipe.ts'
import type { ReadingOptions, ReadingProcess } from './reading-process.ts'
import type { WaitingProcess } from './waiting-process.ts'

export type WaitingPrograms = Pick<
  Sandbox,
  | 'createWorkspace'
  | 'removeWorkspace'
  | 'startAhead'
  | 'canReadAhead'
  | 'readAhead'
  | 'keepWaiting'
  | 'waitingStatus'
  | 'stopWaiting'
> & {
  /** Resumes the program if it waits in the workspace; otherwise null. */
  resume(command: SandboxCommand, options: SandboxRunOptions): Promise<RunReport | null>
}

export interface WaitingProgramsOptions {
  readonly workspaces: Workspaces
  readonly start: (command: WaitingCommand, place: WaitingPlace, options: StartOptions) => Promise<WaitingProcess>
  readonly startReading: (
    command: WaitingCommand,
    place: WaitingPlace & Pick<ReadingOptions, 'pipe' | 'start' | 'isKept'> & Pick<ReadAheadOrder, 'runTimeoutMs'>,
    options: StartOptions,
  ) => Promise<ReadingProcess>
  readonly resume: (
    waiting: WaitingProcess,
    options: SandboxRunOptions & { readonly input: string | Uint8Array },
  ) => Promise<RunReport>
  /** Maximum number of waiting programs; 0 = none. */
  readonly maxCount: number
}

interface StartOptions {
  /** If false, the start rejects when font caches must be created first: a running compile would wait for them. */
  readonly mayWait: boolean
}

export interface WaitingPlace {
  readonly workspaceDir: string
  readonly timeoutMs: number
}

interface PooledProgram {
  readonly key: string
  readonly workspaceDir: string
  readonly process: WaitingProcess
  readonly startedAtMs: number
  /** Expected until the program is ready, then measured. */
  memoryBytes: number
  isReady: boolean
}

/** A program that has read the beginning of a document. */
interface Reader {
  /** An estimate until it has read everything. */
  memoryBytes: number
  readonly program: string
  readonly evict: () => Promise<void>
}

interface Demand {
  readonly command: WaitingCommand
  readonly usedAtMs: number
  /** Memory of one program, as measured; an estimate at first. */
  readonly memoryBytes: number
  readonly failureCount: number
}

const MIB = 1024 * 1024
/** Larger projects get a workspace of their own, because the size of a folder cannot change. */
const ROOM: WorkspaceInputs = { bytes: 16 * MIB, entries: 1000 }
const NO_INPUTS: WorkspaceInputs = { bytes: 0, entries: 0 }
const MAX_PER_COMMAND = 2
const MAX_COMMANDS = 8
/** Programs that have read the beginning of a document, over all documents. */
const MAX_READERS = 8
const MAX_FAILURES = 3
const ESTIMATED_BYTES = 100 * MIB
/** Shares of the machine's total and free memory. A host has two sandboxes. */
const TOTAL_SHARE = 0.06
const FREE_SHARE = 0.25
const MAX_AGE_MS = 30 * 60_000
const FORGET_AFTER_MS = 60 * 60_000
const SWEEP_INTERVAL_MS = 60_000
/** While another program waits, a compile this short has all processors to itself. */
const SHORT_COMPILE_MS = 100
/** A compile that takes this long leaves its processor to others. */
const LONG_COMPILE_MS = 3_000
/** Processor time of a waiting program; the deadline of the compile is much earlier. */
const CPU_LIMIT_MS = 60 * 60_000
/** How long to wait for a program that is starting, at most half of the run's time. */
const PATIENCE_MS = 5_000

export function openWaitingPrograms(options: WaitingProgramsOptions): WaitingPrograms {
  const { workspaces } = options
  const pool: PooledProgram[] = []
  const demands = new Map<string, Demand>()
  /** Workspaces of running compiles, with the start of each. */
  const activeDirs = new Map<string, number>()
  const ahead = new Map<string, Promise<WaitingProcess | null>[]>()
  /** Readers by workspace, least recently started first. */
  const readers = new Map<string, Reader>()
  const counts = { hits: 0, misses: 0 }
  let { maxCount } = options
  let filling: Promise<void> | null = null

  const note = (command: WaitingCommand): string => {
    const key = keyOf(command)
    const known = demands.get(key)
    demands.delete(key)
    const unknown = { memoryBytes: ESTIMATED_BYTES, failureCount: 0 }
    demands.set(key, { ...(known ?? unknown), command, usedAtMs: Date.now() })
    const [oldest] = demands.keys()
    if (demands.size > MAX_COMMANDS && oldest !== undefined) demands.delete(oldest)
    return key
  }

  const take = (command: WaitingCommand, inputs: WorkspaceInputs): PooledProgram | null => {
    const key = note(command)
    if (inputs.bytes > ROOM.bytes || inputs.entries > ROOM.entries) return null
    const waiting = pool.filter((entry) => entry.key === key && entry.process.isWaiting())
    // One that is still starting is ready sooner than one that starts now.
    const taken = waiting.find(({ isReady }) => isReady) ?? waiting[0] ?? null
    if (taken !== null) pool.splice(pool.indexOf(taken), 1)
    return taken
  }

  /** How many programs should wait for each command: one for each recent one, then another. */
  const plan = (): ReadonlyMap<string, number> => {
    const recent = [...demands].filter(([, demand]) => demand.failureCount < MAX_FAILURES).toReversed()
    const planned = new Map<string, number>()
    const slots = Array.from({ length: MAX_PER_COMMAND }, () => recent.map(([key]) => key))
      .flat()
      .slice(0, maxCount)
    for (const key of slots) planned.set(key, (planned.get(key) ?? 0) + 1)
    return planned
  }

  const countOf = (key: string): number => pool.filter((entry) => entry.key === key).length

  const nextDemand = (): Demand | null => {
    const [key] = [...plan()].find(([planned, count]) => countOf(planned) < count) ?? []
    return key === undefined ? null : (demands.get(key) ?? null)
  }

  const discardSurplus = async (): Promise<void> => {
    const planned = plan()
    const surplus = pool.find(({ key }) => countOf(key) > (planned.get(key) ?? 0))
    if (surplus === undefined) return
    pool.splice(pool.indexOf(surplus), 1)
    await discard(surplus, workspaces)
    await discardSurplus()
  }

  /** Long compiles have a low priority and do not count. */
  const countShort = (): number => {
    const since = Date.now() - LONG_COMPILE_MS
    return [...activeDirs.values()].filter((startedAtMs) => startedAtMs > since).length
  }

  const usedBytes = (): number => [...pool, ...readers.values()].reduce((sum, entry) => sum + entry.memoryBytes, 0)

  const fits = (bytes: number): boolean => {
    const used = usedBytes()
    return used + bytes <= Math.min(TOTAL_SHARE * availableMemoryBytes(), used + FREE_SHARE * freeMemoryBytes())
  }

  const hasRoomFor = (demand: Demand): boolean => countShort() < availableParallelism() && fits(demand.memoryBytes)

  const canReadAhead = (): boolean => maxCount > 0 && countShort() < availableParallelism()

  const evictReaders = async (isEnough: () => boolean): Promise<void> => {
    for (const [dir, { evict }] of readers) {
      if (isEnough()) return
      readers.delete(dir)
      await evict()
    }
  }

  const fill = async (): Promise<void> => {
    await discardSurplus()
    for (let demand = nextDemand(); demand !== null && hasRoomFor(demand); demand = nextDemand()) {
      await startOne(demand)
      await discardSurplus()
    }
  }

  /** Starts a program and waits until it is ready. A compile may take it before that. */
  const startOne = async ({ command, memoryBytes: expectedBytes }: Demand): Promise<void> => {
    // A program that does not start is left to the compile that needs it.
    const entry = await startPooled(command, { ...options, expectedBytes }).catch(() => null)
    if (entry === null) return noteStart(command, { isFailed: true })
    pool.push(entry)
    if (maxCount === 0) entry.process.stop()
    entry.isReady = await entry.process.isReady
    if (entry.isReady && entry.process.pid !== null) entry.memoryBytes = memoryBytes([entry.process.pid])
    const isLeft = pool.includes(entry)
    noteStart(command, { isFailed: isLeft && !entry.isReady, memoryBytes: entry.memoryBytes })
    if (entry.isReady || !isLeft) return
    pool.splice(pool.indexOf(entry), 1)
    await discard(entry, workspaces)
  }

  const noteStart = (
    command: WaitingCommand,
    { isFailed, ...measured }: { readonly isFailed: boolean; readonly memoryBytes?: number },
  ): void => {
    const key = keyOf(command)
    const latest = demands.get(key)
    if (latest === undefined) return
    demands.set(key, { ...latest, ...measured, failureCount: isFailed ? latest.failureCount + 1 : 0 })
  }

  const refill = (): Promise<void> => {
    if (maxCount === 0) return Promise.resolve()
    filling ??= fill()
      .catch(() => {}) // The next compile fills it.
      .finally(() => (filling = null))
    return filling
  }

  const sweep = async (): Promise<void> => {
    const old = Date.now() - MAX_AGE_MS
    const isOver = (entry: PooledProgram): boolean => !entry.process.isWaiting() || entry.startedAtMs < old
    const over = pool.filter(isOver)
    for (const entry of over) pool.splice(pool.indexOf(entry), 1)
    const forgotten = Date.now() - FORGET_AFTER_MS
    const newest = [...demands.keys()].at(-1)
    for (const [key, demand] of demands) {
      if (demand.usedAtMs < forgotten && key !== newest) demands.delete(key)
    }
    await Promise.all(over.map((entry) => discard(entry, workspaces)))
    await refill()
  }
  const sweeper = maxCount === 0 ? null : setInterval(() => void sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref() // Next minute.

  return {
    async createWorkspace(inputs = NO_INPUTS, { wanted = null, partOf = null } = {}) {
      const taken = wanted === null || maxCount === 0 ? null : take(wanted, inputs)
      if (wanted !== null && maxCount > 0) counts[taken === null ? 'misses' : 'hits'] += 1
      const dir = taken?.workspaceDir ?? (await workspaces.create(inputs, partOf))
      activeDirs.set(dir, Date.now())
      if (taken !== null) {
        workspaces.adopt(dir, inputs)
        ahead.set(dir, [Promise.resolve(taken.process)])
      }
      const isAnotherReady = taken !== null && pool.some(({ key, isReady }) => key === taken.key && isReady)
      if (isAnotherReady) setTimeout(() => void refill(), SHORT_COMPILE_MS).unref()
      else void refill()
      return dir
    },
    async removeWorkspace(dir) {
      const left = ahead.get(dir) ?? []
      // Another workspace can get the same name before this one is removed completely.
      ahead.delete(dir)
      activeDirs.delete(dir)
      readers.delete(dir)
      for (const waiting of await Promise.all(left)) waiting?.stop()
      await workspaces.remove(dir)
      void refill()
    },
    canReadAhead,
    startAhead(command, workspaceDir, timeoutMs) {
      const started = options.start(command, { workspaceDir, timeoutMs }, { mayWait: false }).catch(() => null) // The run starts its own.
      ahead.set(workspaceDir, [...(ahead.get(workspaceDir) ?? []), started])
    },
    async readAhead(command, { workspaceDir, path, start, timeoutMs, runTimeoutMs, onEvicted }) {
      activeDirs.delete(workspaceDir)
      if (!canReadAhead()) return null
      const isEnough = (): boolean => readers.size < MAX_READERS && fits(ESTIMATED_BYTES)
      if (onEvicted !== null) await evictReaders(isEnough)
      if (!isEnough()) return null
      const evict = onEvicted ?? (async (): Promise<void> => {})
      const reader = { memoryBytes: ESTIMATED_BYTES, program: command.program, evict }
      readers.set(workspaceDir, reader)
      const pipe = await openInputPipe(workspaceDir, path)
      // Only what a running compile reads ahead for itself cannot be evicted.
      const place = { workspaceDir, pipe, start, timeoutMs, runTimeoutMs, isKept: onEvicted !== null }
      const reading = await options.startReading(command, place, { mayWait: onEvicted !== null }).catch((error) => {
        pipe.close()
        throw error
      })
      if (readers.get(workspaceDir) !== reader) {
        // It was to make room while it started.
        reading.stop()
        return null
      }
      ahead.set(workspaceDir, [...(ahead.get(workspaceDir) ?? []), Promise.resolve(reading)])
      return {
        command,
        isWaiting: reading.isWaiting,
        isReady: reading.suspended.then(async (bytes) => {
          reader.memoryBytes = bytes ?? 0
          await evictReaders(() => fits(0))
          return bytes !== null && readers.get(workspaceDir) === reader
        }),
        async take(content, changed, lastDir) {
          if (readers.get(workspaceDir) !== reader) return false
          readers.delete(workspaceDir)
          if (!reading.isWaiting()) return false
          try {
            await replaceFiles(workspaceDir, changed)
            await pipe.replaceByFile(content)
          } catch {
            return false // What it has read has filled the workspace, or replaced a folder.
          }
          // A compile counts once, from its start, also while its last workspace is being removed.
          const startedAtMs = lastDir === null ? undefined : activeDirs.get(lastDir)
          activeDirs.set(workspaceDir, startedAtMs ?? Date.now())
          if (lastDir !== null) activeDirs.delete(lastDir)
          if (onEvicted !== null) counts.hits += 1
          return true
        },
      }
    },
    async resume({ resume: order = null }, runOptions) {
      if (order === null) return null
      const waiting = await takeAhead(ahead, runOptions.workspaceDir, order.waiting)
      if (waiting === null) return null
      if (!(await becomesReady(waiting, runOptions))) {
        waiting.stop()
        return null
      }
      return options.resume(waiting, { ...runOptions, input: order.input })
    },
    async keepWaiting(command) {
      if (maxCount === 0) return
      note(command)
      await filling
      await refill()
    },
    waitingStatus: () => ({
      programs: [
        ...pool.filter(({ isReady }) => isReady).map((entry) => entry.process.command.program),
        ...[...readers.values()].map((reader) => reader.program),
      ],
      memoryBytes: usedBytes(),
      maxCount,
      ...counts,
    }),
    async stopWaiting() {
      maxCount = 0
      if (sweeper !== null) clearInterval(sweeper)
      await evictReaders(() => false)
      // First, because a program that is starting does not keep the process alive and might never report that it is ready.
      await Promise.all(pool.splice(0).map((entry) => discard(entry, workspaces)))
      await filling
    },
  }
}

/** Commands with the same key are interchangeable, whatever their time. */
function keyOf({ program, fontMap = 'whole', args, folder }: WaitingCommand): string {
  return JSON.stringify([program, fontMap, folder, ...args])
}

async function startPooled(
  command: WaitingCommand,
  { workspaces, start, expectedBytes }: WaitingProgramsOptions & { readonly expectedBytes: number },
): Promise<PooledProgram> {
  const workspaceDir = await workspaces.create(ROOM)
  try {
    if (command.folder !== '') await mkdir(join(workspaceDir, command.folder), { recursive: true })
    const process = await start(command, { workspaceDir, timeoutMs: CPU_LIMIT_MS }, { mayWait: true })
    const entry = { key: keyOf(command), workspaceDir, process, startedAtMs: Date.now() }
    return { ...entry, memoryBytes: expectedBytes, isReady: false }
  } catch (error) {
    await workspaces.remove(workspaceDir)
    throw error
  }
}

async function discard({ process, workspaceDir }: PooledProgram, workspaces: Workspaces): Promise<void> {
  process.stop()
  await workspaces.remove(workspaceDir)
}

/**
 * Takes the program from those that wait in a workspace; null if it is not among them.
 *
 * In that case, stops the others: an engine that is still starting would write the recorder file of the one that runs instead,
 * because both have the same process id and name.
 */
async function takeAhead(
  ahead: Map<string, Promise<WaitingProcess | null>[]>,
  workspaceDir: string,
  wanted: WaitingCommand,
): Promise<WaitingProcess | null> {
  const key = keyOf(wanted)
  const all = ahead.get(workspaceDir) ?? []
  for (const started of all) {
    const waiting = await started
    if (waiting === null || keyOf(waiting.command) !== key) continue
    const left = (ahead.get(workspaceDir) ?? []).filter((other) => other !== started)
    ahead.set(workspaceDir, left)
    return waiting
  }
  for (const waiting of await Promise.all(all)) waiting?.stop()
  return null
}

/** The timer also keeps this process alive, which a waiting program does not. */
async function becomesReady(waiting: WaitingProcess, { timeoutMs, signal }: SandboxRunOptions): Promise<boolean> {
  const answered = new AbortController()
  const signals = [answered.signal, ...(signal === undefined ? [] : [signal])]
  const waitMs = Math.min(PATIENCE_MS, timeoutMs / 2)
  // Aborted: the run itself reports that.
  const patience = sleep(waitMs, false as const, { signal: AbortSignal.any(signals) }).catch(() => false as const)
  const isReady = await Promise.race([waiting.isReady, patience])
  answered.abort()
  return isReady && waiting.isWaiting()
}
