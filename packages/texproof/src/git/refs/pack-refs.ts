/**
 * Moves loose refs into `packed-refs`, which is the fastest to read.
 *
 * `git pack-refs --prune` renames the new `packed-refs` and removes the files of the refs without a sync in between. On
 * Btrfs, the next sync of `refs/heads` can then put the removal on disk long before the rename, and a power failure
 * between the two would lose branches. So git only packs, and the files are removed here.
 */
import { link, open, readdir, readFile, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'

import { isAbsent, whenAbsent } from '../../base/absent.ts'
import * as durable from '../../base/durable-file.ts'
import { runGit, type GitRun } from '../process/run-git.ts'

/**
 * Packs all refs. Refs that move meanwhile, and all of them while another process changes `packed-refs`, keep their files
 * until the next time. Resolves to how git ended; with 0, `packed-refs` is on disk.
 *
 * @throws Error when git cannot be started or a file cannot be removed.
 */
export async function packRefs(
  gitDir: string,
  options: {
    readonly searchPath: string
    readonly timeoutMs: number
    readonly signal?: AbortSignal
    readonly syncFolder?: (folder: string) => Promise<void>
  },
): Promise<GitRun> {
  const { syncFolder = durable.syncFolder, ...limits } = options
  const run = await runGit(['pack-refs', '--all', '--no-prune'], { gitDir, ...limits, maxOutputBytes: 64 * 1024 })
  if (run.kind !== 'exited' || run.exitCode !== 0) return run
  const file = path.join(gitDir, PACKED_REFS)
  const isLocked = await withLock(file, async () => {
    await syncFolder(gitDir)
    await removePackedFiles(gitDir, await readFile(file, 'utf8').catch(whenAbsent('')))
  })
  if (!isLocked) await syncFolder(gitDir)
  return run
}

/** The lock of `packed-refs` is held: no ref may leave the file. */
async function removePackedFiles(gitDir: string, packed: string): Promise<void> {
  const lines = new Set(packed.split('\n'))
  const until = performance.now() + MAX_MS
  const folder = path.join(gitDir, 'refs')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(whenAbsent([]))
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name))
  const removeNext = async (): Promise<void> => {
    for (let file = paths.pop(); file !== undefined && performance.now() < until; file = paths.pop())
      await removePackedFile(gitDir, path.relative(gitDir, file), lines)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, removeNext))
  for (const parent of new Set(files.map((entry) => entry.parentPath)))
    await removeEmpty(path.relative(gitDir, parent), gitDir)
}

async function removePackedFile(gitDir: string, ref: string, lines: ReadonlySet<string>): Promise<void> {
  const file = path.join(gitDir, ref)
  const remove = async (): Promise<void> => {
    const id = await readFile(file, 'utf8').catch(whenAbsent(''))
    if (lines.has(`${id.trimEnd()} ${ref}`)) await unlink(file)
  }
  await withLock(file, remove, { held: path.join(gitDir, PACKED_REFS) })
}

/** Removes an empty folder of refs and its empty parents. `refs/heads` and its siblings stay; git creates others again. */
async function removeEmpty(folder: string, gitDir: string): Promise<void> {
  for (let empty = folder; empty.split('/').length > 2; empty = path.dirname(empty)) {
    // Usually, it is not empty, and neither are its parents.
    const isRemoved = await rmdir(path.join(gitDir, empty)).then(
      () => true,
      () => false,
    )
    if (!isRemoved) break
  }
}

/**
 * Works under the lock file of git; false if another process holds it or the folder was removed.
 *
 * `held`: another file that is locked already.
 */
async function withLock(
  file: string,
  work: () => Promise<void>,
  { held = null }: { readonly held?: string | null } = {},
): Promise<boolean> {
  const lock = lockOf(file)
  try {
    await createLock(lock, held)
  } catch (error) {
    if (isAbsent(error) || (error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    await work()
  } finally {
    await unlink(lock).catch(whenAbsent(undefined))
  }
  return true
}

/**
 * A link to a lock that this process has just created takes one call instead of the two of a new file: packing thousands of
 * refs takes half the time. It is as old as that lock, so it does not look stale.
 */
async function createLock(lock: string, held: string | null): Promise<void> {
  const isLinked =
    held !== null &&
    (await link(lockOf(held), lock).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST' || isAbsent(error)) throw error
        return false // The file system has no links.
      },
    ))
  if (!isLinked) await (await open(lock, 'wx')).close()
}

function lockOf(file: string): string {
  return `${file}.lock`
}

const PACKED_REFS = 'packed-refs'
const AT_ONCE = 4
/** Locks that are older than ten seconds count as left behind, see `stale-locks.ts`. */
const MAX_MS = 5_000
