/**
 * Programs that wait for compiles, each in an empty workspace of its own.
 *
 * A compile takes the workspace together with the program in it. Waiting programs have read nothing but the TeX
 * installation and are used once. Recent compiles determine which programs wait; they are started while the machine has
 * a free processor, one at a time, within a share of its memory.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { availableMemoryBytes, freeMemoryBytes } from '../limits/available-memory.ts'
import type { WorkspaceInputs } from '../limits/limits.ts'
import type { Workspaces } from '../open-workspaces.ts'
import type { RunReport, Sandbox, SandboxCommand, SandboxRunOptions, WaitingCommand } from '../types.ts'
import { keyOf } from './program-demands.ts'
import { openProgramPool } from './program-pool.ts'
import type { ReadingProcess } from './reading-process.ts'
import { openReadingPrograms, type ReadingPlace } from './reading-programs.ts'
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
    place: ReadingPlace,
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

const NO_INPUTS: WorkspaceInputs = { bytes: 0, entries: 0 }
/** Shares of the machine's total and free memory. A host has two sandboxes. */
const TOTAL_SHARE = 0.06
const FREE_SHARE = 0.25
/** While another program waits, a compile this short has all processors to itself. */
const SHORT_COMPILE_MS = 100
/** A compile that takes this long leaves its processor to others. */
const LONG_COMPILE_MS = 3_000
/** How long to wait for a program that is starting, at most half of the run's time. */
const PATIENCE_MS = 5_000

export function openWaitingPrograms(options: WaitingProgramsOptions): WaitingPrograms {
  const { workspaces } = options
  /** Workspaces of running compiles, with the start of each. */
  const activeDirs = new Map<string, number>()
  const ahead = new Map<string, Promise<WaitingProcess | null>[]>()
  const counts = { hits: 0, misses: 0 }
  let { maxCount } = options
  const pool = openProgramPool({
    workspaces,
    maxCount,
    start: (command, place) => options.start(command, place, { mayWait: true }),
    hasRoomFor: (bytes) => countShort() < availableParallelism() && fits(bytes),
  })
  const readers = openReadingPrograms({
    startReading: options.startReading,
    hasRoomFor: fits,
    onStarted: (workspaceDir, process) => addAhead(workspaceDir, Promise.resolve(process)),
    onTaken({ workspaceDir, lastDir, onEvicted }) {
      // A compile counts once, from its start, even while its last workspace is being removed.
      const startedAtMs = lastDir === null ? undefined : activeDirs.get(lastDir)
      activeDirs.set(workspaceDir, startedAtMs ?? performance.now())
      if (lastDir !== null) activeDirs.delete(lastDir)
      if (onEvicted !== null) counts.hits += 1
    },
  })

  /** Long compiles have a low priority and do not count. */
  function countShort(): number {
    const since = performance.now() - LONG_COMPILE_MS
    return [...activeDirs.values()].filter((startedAtMs) => startedAtMs > since).length
  }

  function usedBytes(): number {
    return pool.memoryBytes() + readers.memoryBytes()
  }

  function fits(bytes: number): boolean {
    const used = usedBytes()
    return used + bytes <= Math.min(TOTAL_SHARE * availableMemoryBytes(), used + FREE_SHARE * freeMemoryBytes())
  }

  function canReadAhead(): boolean {
    return maxCount > 0 && countShort() < availableParallelism()
  }

  function addAhead(workspaceDir: string, started: Promise<WaitingProcess | null>): void {
    ahead.set(workspaceDir, [...(ahead.get(workspaceDir) ?? []), started])
  }

  return {
    async createWorkspace(inputs = NO_INPUTS, { wanted = null, partOf = null } = {}) {
      const taken = wanted === null || maxCount === 0 ? null : pool.take(wanted, inputs)
      if (wanted !== null && maxCount > 0) counts[taken === null ? 'misses' : 'hits'] += 1
      const dir = taken?.workspaceDir ?? (await workspaces.create(inputs, partOf))
      activeDirs.set(dir, performance.now())
      if (taken !== null) {
        workspaces.adopt(dir, inputs)
        ahead.set(dir, [Promise.resolve(taken.process)])
      }
      if (taken !== null && pool.hasReady(taken.key)) setTimeout(() => void pool.refill(), SHORT_COMPILE_MS).unref()
      else void pool.refill()
      return dir
    },
    async removeWorkspace(dir) {
      const left = ahead.get(dir) ?? []
      // Another workspace can get the same name before this one is removed completely.
      ahead.delete(dir)
      activeDirs.delete(dir)
      readers.forget(dir)
      for (const waiting of await Promise.all(left)) waiting?.stop()
      await workspaces.remove(dir)
      void pool.refill()
    },
    canReadAhead,
    startAhead(command, workspaceDir, timeoutMs) {
      // If it does not start, the run starts its own.
      const started = options.start(command, { workspaceDir, timeoutMs }, { mayWait: false }).catch(() => null)
      addAhead(workspaceDir, started)
    },
    async readAhead(command, order) {
      activeDirs.delete(order.workspaceDir)
      return canReadAhead() ? readers.start(command, order) : null
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
      if (maxCount > 0) await pool.keep(command)
    },
    waitingStatus: () => ({
      programs: [...pool.listReady(), ...readers.list()],
      memoryBytes: usedBytes(),
      maxCount,
      ...counts,
    }),
    async stopWaiting() {
      maxCount = 0
      await Promise.all([readers.evictAll(), pool.close()])
    },
  }
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
