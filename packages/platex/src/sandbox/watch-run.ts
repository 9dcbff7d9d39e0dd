import { measureFolders } from './measure-folder.ts'
import { COMPILE_LIMITS, WATCH_INTERVAL_MS } from './limits.ts'
import { listProcessTree, namelessFileBytes, residentBytes } from './process-tree.ts'
import type { SandboxLimit } from './types.ts'

export interface WatchedRun {
  /** Pid of the outermost process of the run. */
  readonly pid: number
  /** Folders whose contents count as the run's disk. */
  readonly folders: readonly string[]
  /** Called once, with the first limit found exceeded. */
  readonly onExceeded: (limit: SandboxLimit) => void
}

/**
 * Looks at a run from outside until the returned function is called: memory, disk and number of files.
 *
 * The kernel limits each process; only the sum over a whole compile needs watching.
 */
export function watchRun(run: WatchedRun): () => void {
  const timer = setInterval(() => {
    const limit = exceededLimit(run)
    if (limit === null) return
    clearInterval(timer)
    run.onExceeded(limit)
  }, WATCH_INTERVAL_MS)
  return () => clearInterval(timer)
}

function exceededLimit({ pid, folders }: WatchedRun): SandboxLimit | null {
  const pids = listProcessTree(pid)
  if (residentBytes(pids) > COMPILE_LIMITS.memoryBytes) return 'memory'
  const size = measureFolders(folders, {
    maxEntries: COMPILE_LIMITS.entries,
    maxDepth: COMPILE_LIMITS.folderDepth,
  })
  // No program of a TeX system closes a folder or nests a hundred: both are ways to hide from the count.
  if (size.isOpaque || size.entries > COMPILE_LIMITS.entries) return 'entries'
  return size.bytes + namelessFileBytes(pids) > COMPILE_LIMITS.diskBytes ? 'disk' : null
}
