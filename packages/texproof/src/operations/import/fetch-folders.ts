/** Folders of downloads from other servers. Each is removed at the end of its download, and later if a crash prevents that. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** Longer than a mirror is fetched or a repository imported: their limits are below half an hour. */
const ABANDONED_AFTER_MS = 2 * 3_600_000

/** Makes the folder of downloads; returns the path of a new one in it, which does not exist yet. */
export async function prepareFetchFolder(dataDir: string): Promise<string> {
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, randomBytes(16).toString('hex'))
}

/** Removes downloads of processes that have ended; returns their number. */
export async function removeAbandonedFetches(dataDir: string): Promise<number> {
  const folder = folderOf(dataDir)
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing was downloaded yet
  let count = 0
  for (const name of names) {
    const download = await stat(join(folder, name)).catch(whenAbsent(null)) // absent: it has just ended
    if (download === null || download.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue
    await rm(join(folder, name), { recursive: true, force: true })
    count += 1
  }
  return count
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'tmp', 'fetches')
}
