/** Programs that have read the beginning of a document, and wait for the rest: see `Sandbox.readAhead`. */
import type { ReadAhead, ReadAheadOrder, WaitingCommand } from '../types.ts'
import { openInputPipe, replaceFiles, type InputPipe } from './input-pipe.ts'
import { ESTIMATED_BYTES } from './program-demands.ts'
import type { ReadingOptions, ReadingProcess } from './reading-process.ts'

/** Where and how a program reads. */
export type ReadingPlace = Pick<ReadingOptions, 'pipe' | 'start' | 'isKept'> &
  Pick<ReadAheadOrder, 'workspaceDir' | 'timeoutMs' | 'runTimeoutMs'>

export interface ReadingProgramsOptions {
  readonly startReading: (
    command: WaitingCommand,
    place: ReadingPlace,
    options: { readonly mayWait: boolean },
  ) => Promise<ReadingProcess>
  /** Whether this many more bytes may be used now. */
  readonly hasRoomFor: (bytes: number) => boolean
  /** Called when a program has been started, unless it was evicted before. */
  readonly onStarted: (workspaceDir: string, process: ReadingProcess) => void
  /** Called when a compile has taken a program. */
  readonly onTaken: (taken: Pick<ReadAheadOrder, 'workspaceDir' | 'onEvicted'> & { lastDir: string | null }) => void
}

export interface ReadingPrograms {
  /** Starts a program, after evicting older ones; null if there is still no room. */
  start(command: WaitingCommand, order: ReadAheadOrder): Promise<ReadAhead | null>
  /** Forgets the program of a workspace, which the caller ends. */
  forget(workspaceDir: string): void
  evictAll(): Promise<void>
  /** Names of the programs. */
  list(): readonly string[]
  memoryBytes(): number
}

interface Reader {
  /** An estimate until it has read everything. */
  memoryBytes: number
  readonly program: string
  readonly evict: () => Promise<void>
}

/** Programs over all documents. */
const MAX_READERS = 8

export function openReadingPrograms(options: ReadingProgramsOptions): ReadingPrograms {
  const { hasRoomFor, onStarted, onTaken } = options
  /** By workspace, least recently started first. */
  const readers = new Map<string, Reader>()

  async function evict(isEnough: () => boolean): Promise<void> {
    for (const [dir, reader] of readers) {
      if (isEnough()) return
      readers.delete(dir)
      await reader.evict()
    }
  }

  async function makeRoom({ onEvicted }: ReadAheadOrder): Promise<boolean> {
    const isEnough = (): boolean => readers.size < MAX_READERS && hasRoomFor(ESTIMATED_BYTES)
    if (onEvicted !== null) await evict(isEnough)
    return isEnough()
  }

  async function startProcess(
    command: WaitingCommand,
    { pipe, order }: { readonly pipe: InputPipe; readonly order: ReadAheadOrder },
  ): Promise<ReadingProcess> {
    // Only what a running compile reads ahead for itself cannot be evicted.
    const isKept = order.onEvicted !== null
    try {
      return await options.startReading(command, { ...order, pipe, isKept }, { mayWait: isKept })
    } catch (error) {
      pipe.close()
      throw error
    }
  }

  return {
    async start(command, order) {
      const { workspaceDir, onEvicted } = order
      if (!(await makeRoom(order))) return null
      const reader = { memoryBytes: ESTIMATED_BYTES, program: command.program, evict: onEvicted ?? (async () => {}) }
      readers.set(workspaceDir, reader)
      const isLeft = (): boolean => readers.get(workspaceDir) === reader
      const pipe = await openInputPipe(workspaceDir, order.path)
      const process = await startProcess(command, { pipe, order })
      if (!isLeft()) {
        // It was evicted while it started.
        process.stop()
        return null
      }
      onStarted(workspaceDir, process)
      return {
        command,
        isWaiting: process.isWaiting,
        isReady: process.suspended.then(async (bytes) => {
          reader.memoryBytes = bytes ?? 0
          await evict(() => hasRoomFor(0))
          return bytes !== null && isLeft()
        }),
        async take(content, changed, lastDir) {
          if (!isLeft()) return false
          readers.delete(workspaceDir)
          if (!process.isWaiting()) return false
          try {
            await replaceFiles(workspaceDir, changed)
            await pipe.replaceByFile(content)
          } catch {
            return false // What it has read has filled the workspace, or replaced a folder.
          }
          onTaken({ workspaceDir, onEvicted, lastDir })
          return true
        },
      }
    },
    forget(workspaceDir) {
      readers.delete(workspaceDir)
    },
    evictAll: () => evict(() => false),
    list: () => [...readers.values()].map(({ program }) => program),
    memoryBytes: () => [...readers.values()].reduce((sum, reader) => sum + reader.memoryBytes, 0),
  }
}
