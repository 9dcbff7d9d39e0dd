import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkspaceInputs } from '../limits/limits.ts'
import { memoryBytes } from '../limits/process-tree.ts'
import type { Workspaces } from '../open-workspaces.ts'
import type { WaitingCommand } from '../types.ts'
import { createProgramDemands, keyOf, type Demand } from './program-demands.ts'
import type { WaitingProcess } from './waiting-process.ts'

/** A program that waits in an empty workspace. */
export interface PooledProgram {
  readonly key: string
  readonly workspaceDir: string
  readonly process: WaitingProcess
  readonly startedAtMs: number
  /** Expected until the program is ready, then measured. */
  memoryBytes: number
  isReady: boolean
}

/** The programs that wait for any compile. They are started one at a time. */
export interface ProgramPool {
  /** Takes a program for a compile with these inputs; null if none waits. */
  take(command: WaitingCommand, inputs: WorkspaceInputs): PooledProgram | null
  /** Whether a program with this key is ready. */
  hasReady(key: string): boolean
  /** Starts what is missing, as far as there is room. */
  refill(): Promise<void>
  /** Keeps a program for this command, as if a compile had used one. */
  keep(command: WaitingCommand): Promise<void>
  /** Names of the programs that are ready. */
  listReady(): readonly string[]
  memoryBytes(): number
  /** Ends all programs and starts no more. */
  close(): Promise<void>
}

export interface ProgramPoolOptions {
  readonly workspaces: Workspaces
  readonly start: (
    command: WaitingCommand,
    place: { readonly workspaceDir: string; readonly timeoutMs: number },
  ) => Promise<WaitingProcess>
  /** Maximum number of programs; 0 = none. */
  readonly maxCount: number
  /** Whether a program of this size may be started now. */
  readonly hasRoomFor: (memoryBytes: number) => boolean
}

/** Larger projects get a workspace of their own, because the size of a folder cannot change. */
const ROOM: WorkspaceInputs = { bytes: 16 * 1024 * 1024, entries: 1000 }
const MAX_AGE_MS = 30 * 60_000
const SWEEP_INTERVAL_MS = 60_000
/** Processor time of a waiting program; the deadline of the compile is much earlier. */
const CPU_LIMIT_MS = 60 * 60_000

export function openProgramPool({ workspaces, start, hasRoomFor, ...options }: ProgramPoolOptions): ProgramPool {
  const demands = createProgramDemands()
  const pool: PooledProgram[] = []
  let { maxCount } = options
  let filling: Promise<void> | null = null

  const remove = (entry: PooledProgram): void => void pool.splice(pool.indexOf(entry), 1)

  const countOf = (key: string): number => pool.filter((entry) => entry.key === key).length

  const nextDemand = (): Demand | null => {
    const [key] = [...demands.plan(maxCount)].find(([planned, count]) => countOf(planned) < count) ?? []
    return key === undefined ? null : demands.find(key)
  }

  const discardSurplus = async (): Promise<void> => {
    const planned = demands.plan(maxCount)
    const surplus = pool.find(({ key }) => countOf(key) > (planned.get(key) ?? 0))
    if (surplus === undefined) return
    remove(surplus)
    await discard(surplus, workspaces)
    await discardSurplus()
  }

  const fill = async (): Promise<void> => {
    await discardSurplus()
    for (let demand = nextDemand(); demand !== null && hasRoomFor(demand.memoryBytes); demand = nextDemand()) {
      await startOne(demand)
      await discardSurplus()
    }
  }

  /** Starts a program and waits until it is ready. A compile may take it before that. */
  const startOne = async ({ command, memoryBytes: expectedBytes }: Demand): Promise<void> => {
    // A program that does not start is left to the compile that needs it.
    const entry = await startPooled(command, { workspaces, start, expectedBytes }).catch(() => null)
    if (entry === null) return demands.noteStart(command, { isFailed: true })
    pool.push(entry)
    if (maxCount === 0) entry.process.stop()
    entry.isReady = await entry.process.isReady
    if (entry.isReady && entry.process.pid !== null) entry.memoryBytes = memoryBytes([entry.process.pid])
    const isLeft = pool.includes(entry)
    demands.noteStart(command, { isFailed: isLeft && !entry.isReady, memoryBytes: entry.memoryBytes })
    if (entry.isReady || !isLeft) return
    remove(entry)
    await discard(entry, workspaces)
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
    const over = pool.filter((entry) => !entry.process.isWaiting() || entry.startedAtMs < old)
    for (const entry of over) remove(entry)
    demands.forgetOld()
    await Promise.all(over.map((entry) => discard(entry, workspaces)))
    await refill()
  }
  const sweeper = maxCount === 0 ? null : setInterval(() => void sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref() // Next minute.

  return {
    take(command, inputs) {
      const key = demands.note(command)
      if (inputs.bytes > ROOM.bytes || inputs.entries > ROOM.entries) return null
      const waiting = pool.filter((entry) => entry.key === key && entry.process.isWaiting())
      // One that is still starting is ready sooner than one that starts now.
      const taken = waiting.find(({ isReady }) => isReady) ?? waiting[0] ?? null
      if (taken !== null) remove(taken)
      return taken
    },
    hasReady: (wanted) => pool.some(({ key, isReady }) => key === wanted && isReady),
    refill,
    async keep(command) {
      demands.note(command)
      await filling
      await refill()
    },
    listReady: () => pool.filter(({ isReady }) => isReady).map((entry) => entry.process.command.program),
    memoryBytes: () => pool.reduce((sum, entry) => sum + entry.memoryBytes, 0),
    async close() {
      maxCount = 0
      if (sweeper !== null) clearInterval(sweeper)
      // First, because a program that is starting does not keep the process alive and might never report that it is ready.
      await Promise.all(pool.splice(0).map((entry) => discard(entry, workspaces)))
      await filling
    },
  }
}

async function startPooled(
  command: WaitingCommand,
  { workspaces, start, expectedBytes }: Pick<ProgramPoolOptions, 'workspaces' | 'start'> & { expectedBytes: number },
): Promise<PooledProgram> {
  const workspaceDir = await workspaces.create(ROOM)
  try {
    if (command.folder !== '') await mkdir(join(workspaceDir, command.folder), { recursive: true })
    const process = await start(command, { workspaceDir, timeoutMs: CPU_LIMIT_MS })
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
