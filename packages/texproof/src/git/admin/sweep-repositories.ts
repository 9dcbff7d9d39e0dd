/**
 * Removes what a crash leaves behind: repositories created or deleted in part, locks without a holder (a stale
 * `refs/heads/main.lock` refuses every push), and the quarantine of pushes that were cut off.
 *
 * A file is a leftover when it is older than the longest push can take; a younger one may be in use.
 */
import type { Dirent } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makingFolder, trashFolder } from './repository-path.ts'

/** Removes leftovers older than `olderThanMs` under all repositories; returns their paths, relative to the root. */
export async function sweepRepositories(
  root: string,
  options: { readonly olderThanMs: number },
): Promise<readonly string[]> {
  const removed: string[] = []
  const removeOld = async (place: string): Promise<void> => {
    if (!(await isOlder(place, options.olderThanMs))) return
    await rm(place, { recursive: true, force: true })
    removed.push(path.relative(root, place))
  }
  for (const folder of [makingFolder(root), trashFolder(root)]) {
    for (const entry of await list(folder)) await removeOld(path.join(folder, entry.name))
  }
  for (const spread of await list(root)) {
    if (!/^[0-9a-f]{2}$/.test(spread.name)) continue
    for (const repository of await list(path.join(root, spread.name))) {
      for (const place of await findLeftovers(path.join(root, spread.name, repository.name))) await removeOld(place)
    }
  }
  return removed
}

/** What may be left over in one repository, by name alone. */
async function findLeftovers(gitDir: string): Promise<readonly string[]> {
  const top = (await list(gitDir)).filter(isLock)
  const refs = (await list(path.join(gitDir, 'refs'), { recursive: true })).filter(isLock)
  const objects = (await list(path.join(gitDir, 'objects'))).filter(({ name }) => name.startsWith('tmp_'))
  const packs = (await list(path.join(gitDir, 'objects', 'pack'))).filter(
    (entry) => entry.name.startsWith('tmp_') || isLock(entry),
  )
  return [...top, ...refs, ...objects, ...packs].map((entry) => path.join(entry.parentPath, entry.name))
}

/** No ref and no folder of refs can end so: git keeps the ending for itself. */
function isLock(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.lock')
}

async function isOlder(place: string, ageMs: number): Promise<boolean> {
  const stats = await lstat(place).catch(whenAbsent(null)) // gone by itself: not ours to remove
  return stats !== null && Date.now() - stats.mtimeMs >= ageMs
}

async function list(folder: string, options: { readonly recursive?: boolean } = {}): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true, ...options }).catch(whenAbsent([])) // absent or no folder: nothing to sweep
}
