/** Locks and cut-off pushes in one repository whose holder has died. */
import type { Dirent } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { findWriters } from '../process/find-writers.ts'

/** Removes them and gives their full paths; empty while a git works on it, or this process may. */
export async function removeStaleLocks(gitDir: string): Promise<readonly string[]> {
  const before = Date.now() - OWN_LOCKS_MS
  return (await findWriters())(gitDir) ? [] : removeLeftovers(gitDir, before)
}

/** Removes those from before a moment, also where a git works. */
export async function removeLeftovers(gitDir: string, before: number): Promise<readonly string[]> {
  return removeOld(await findLeftovers(gitDir), before)
}

/** What may be left over in one repository, by name alone. */
export async function findLeftovers(gitDir: string): Promise<readonly string[]> {
  const objects = path.join(gitDir, 'objects')
  const found = [
    ...(await list(gitDir)).filter((entry) => isLock(entry) || entry.name === 'gc.pid'),
    ...(await list(path.join(gitDir, 'refs'), { recursive: true })).filter(isLock),
    ...(await list(objects)).filter((entry) => entry.name.startsWith('tmp_') || isLock(entry)),
    ...(await list(path.join(objects, 'info'), { recursive: true })).filter(isLock),
    ...(await list(path.join(objects, 'pack'))).filter((entry) => /^\.?tmp[-_]/.test(entry.name) || isLock(entry)),
  ]
  return found.map((entry) => path.join(entry.parentPath, entry.name))
}

/** This process itself locks HEAD for less, see `write-head.ts`. */
const OWN_LOCKS_MS = 10_000

/** No ref and no folder of refs can end so: git keeps the ending for itself. */
function isLock(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.lock')
}

/** Removes the files and folders from before a moment (epoch milliseconds) and gives them. */
export async function removeOld(places: readonly string[], before: number): Promise<readonly string[]> {
  const removed: string[] = []
  for (const place of places) {
    const stats = await lstat(place).catch(whenAbsent(null)) // gone by itself: not ours to remove
    if (stats === null || stats.mtimeMs > before) continue
    await rm(place, { recursive: true, force: true })
    removed.push(place)
  }
  return removed
}

/** Absent or no folder: nothing to sweep. */
async function list(folder: string, options: { readonly recursive?: boolean } = {}): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true, ...options }).catch(whenAbsent([]))
}
