/** Checks how much of its limits a run has used. */

import { statfsSync, type StatsFs } from 'node:fs'
import { availableParallelism } from 'node:os'
import { CONFINED_SCRATCH, CONFINED_WORKSPACE } from '../confined-environment.ts'
import { measureFolders } from './measure-folder.ts'
import { COMPILE_LIMITS, type FolderBounds } from './limits.ts'
import { memoryBytes, namelessFileBytes } from './process-tree.ts'

/** The folder of a run's workspace. */
export type WatchedFolder =
  /** Bounded by the kernel; `inputBytes` of it are inputs. */
  | { readonly kind: 'bounded'; readonly path: string; readonly inputBytes: number }
  | { readonly kind: 'on-disk'; readonly paths: readonly string[]; readonly bounds: FolderBounds }

export interface WatchedRun {
  /** Pid of the outermost process of the run. */
  readonly pid: number
  /** Moment on the clock `monotonicMs`. */
  readonly deadlineMs: number
  readonly folder: WatchedFolder
  /** The compile of the run: runs of one compile share its memory. */
  readonly compile: string
  /** Limit for the runs of the compile together. Null if the kernel limits it. */
  readonly maxMemoryBytes: number | null
}

/** Reasons for which the watcher kills a run; passed between threads by index. */
export const EXCESSES = ['time', 'memory', 'disk', 'entries'] as const
export type Excess = (typeof EXCESSES)[number]

/** Result of one check. */
export interface RunCheck {
  /** The limit exceeded, or null. */
  readonly excess: Excess | null
  /** Milliseconds until the next check. */
  readonly nextMs: number
}

/** Paths as seen by a confined program. */
const INSIDE = new RegExp(`^(?:${CONFINED_WORKSPACE}|${CONFINED_SCRATCH})/`)

const FOLDER_INTERVAL_MS = 100
const LONGEST_INTERVAL_MS = 25
const SHORTEST_INTERVAL_MS = 1
/** Generous upper bound of the memory that a processor core fills in a millisecond. */
const BYTES_PER_CORE_MS = 8 * 1024 * 1024

/** Milliseconds on a monotonic clock shared by all threads. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

/** Checks one run. Synchronous: the watcher's thread does nothing else. */
export function checkRun(run: WatchedRun, runs: Iterable<WatchedRun>): RunCheck {
  const leftMs = run.deadlineMs - monotonicMs()
  if (leftMs <= 0) return exceeded('time')
  const folder = run.folder.kind === 'bounded' ? lookAtBounded(run.folder) : lookAtDisk(run.pid, run.folder)
  if (folder.excess !== null) return exceeded(folder.excess)
  if (run.maxMemoryBytes === null) return { excess: null, nextMs: Math.min(leftMs, folder.nextMs) }
  const together = [...runs].filter(({ compile }) => compile === run.compile)
  const usedBytes = memoryBytes(together.map(({ pid }) => pid)) + folderBytes([run, ...together])
  const freeBytes = run.maxMemoryBytes - usedBytes
  if (freeBytes < 0) return exceeded('memory')
  return { excess: null, nextMs: Math.min(leftMs, folder.nextMs, untilFull(freeBytes)) }
}

/** Memory used by the files of runs, which may have their folder in common. */
function folderBytes(runs: readonly WatchedRun[]): number {
  const folders = new Map(runs.map(({ folder }) => [folder.kind === 'bounded' ? folder.path : '', folder]))
  return [...folders.values()].reduce(
    (sum, folder) => sum + (folder.kind === 'bounded' ? lookAtBounded(folder).memoryBytes : 0),
    0,
  )
}

function exceeded(excess: Excess): RunCheck {
  return { excess, nextMs: 0 }
}

/** The nearer the limit, the sooner the next check. */
function untilFull(freeBytes: number): number {
  return Math.max(SHORTEST_INTERVAL_MS, freeBytes / (BYTES_PER_CORE_MS * availableParallelism()))
}

interface FolderLook extends RunCheck {
  /** Memory used by files. */
  readonly memoryBytes: number
}

/** Deleted and mapped files count as well, because the kernel reports the total. */
function lookAtBounded({ path, inputBytes }: WatchedFolder & { readonly kind: 'bounded' }): FolderLook {
  const found = statfsOrNull(path)
  if (found === null) return { excess: null, nextMs: LONGEST_INTERVAL_MS, memoryBytes: 0 }
  const { bsize, blocks, bfree, ffree } = found
  const excess = bfree === 0 ? 'disk' : ffree === 0 ? 'entries' : null
  const used = Math.max(0, (blocks - bfree) * bsize - inputBytes)
  return { excess, nextMs: LONGEST_INTERVAL_MS, memoryBytes: used }
}

function lookAtDisk(pid: number, { paths, bounds }: WatchedFolder & { readonly kind: 'on-disk' }): FolderLook {
  const size = measureFolders(paths, { maxEntries: bounds.maxEntries, maxDepth: COMPILE_LIMITS.folderDepth })
  // No program of a TeX system closes a folder or nests a hundred levels: both would hide files from the count.
  const hasTooMany = size.isOpaque || size.entries > bounds.maxEntries
  const isInside = (path: string) => INSIDE.test(path) || paths.some((folder) => path.startsWith(`${folder}/`))
  const isTooLarge = !hasTooMany && size.bytes + namelessFileBytes(pid, isInside) > bounds.maxBytes
  return { excess: hasTooMany ? 'entries' : isTooLarge ? 'disk' : null, nextMs: FOLDER_INTERVAL_MS, memoryBytes: 0 }
}

/** Null after the workspace is closed: the run has ended. */
function statfsOrNull(path: string): StatsFs | null {
  try {
    return statfsSync(path)
  } catch {
    return null // The folder was closed.
  }
}
