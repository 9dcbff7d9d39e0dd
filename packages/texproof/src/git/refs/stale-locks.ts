/** Locks and interrupted pushes in one repository whose process has died. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { findWriters } from '../process/find-writers.ts'

/**
 * Removes them and returns their absolute paths. Returns an empty list while git, or possibly this process, works on
 * the repository.
 */
export async function removeStaleLocks(gitDir: string): Promise<readonly string[]> {
  const before = Date.now() - OWN_LOCKS_MS
  return (await findWriters())(gitDir) ? [] : removeLeftovers(gitDir, before)
}

/** Removes leftovers from before a time, even while git works on the repository. */
export async function removeLeftovers(gitDir: string, before: number): Promise<readonly string[]> {
  return removeOld(await findLeftovers(gitDir), before)
}

/** Possible leftovers in one repository, by their names. */
export async function findLeftovers(gitDir: string): Promise<readonly string[]> {
  const objects = path.join(gitDir, 'objects')
  const found = [
    ...(await list(gitDir)).filter((entry) => isLock(entry) || UNIQUE_FILES.has(entry.name)),
    ...(await list(path.join(gitDir, 'refs'), { recursive: true })).filter(isLock),
    ...(await list(objects)).filter((entry) => entry.name.startsWith('tmp_') || isLock(entry)),
    ...(await list(path.join(objects, 'info'), { recursive: true })).filter(isLock),
    ...(await list(path.join(objects, 'pack'))).filter((entry) => /^\.?tmp[-_]/.test(entry.name) || isLock(entry)),
  ]
  return found.map((entry) => path.join(entry.parentPath, entry.name))
}

/** git creates these only if they do not exist, like locks: the next garbage collection or change of packed refs fails. */
const UNIQUE_FILES: ReadonlySet<string> = new Set(['gc.pid', 'packed-refs.new'])

/** This process holds the lock of HEAD for a shorter time, see `write-head.ts`. */
const OWN_LOCKS_MS = 10_000

/** No ref and no folder of refs can end with this: git reserves the suffix. */
function isLock(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.lock')
}

/** Removes the files and folders from before a time (epoch milliseconds) and returns them. */
export async function removeOld(places: readonly string[], before: number): Promise<readonly string[]> {
  const removed: string[] = []
  for (const place of places) {
    const stats = await lstat(place).catch(whenAbsent(null)) // removed by another process
    if (stats === null || stats.mtimeMs > before) continue
    await rm(place, { recursive: true, force: true })
    removed.push(place)
  }
  return removed
}

/** Absent or not a folder: nothing to sweep. */
async function list(folder: string, options: { readonly recursive?: boolean } = {}): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true, ...options }).catch(whenAbsent([]))
}
