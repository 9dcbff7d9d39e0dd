/**
 * Temporary files and folders in `tmp` of the data directory. The process that creates one removes it. Several servers may
 * share the directory, so the age shows which ones belong to processes that have ended.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'

const PURPOSES = ['exports', 'fetches', 'imports'] as const

/** Longer than any is used: exports are kept for an hour; fetches and uploads for less than half an hour. */
const ABANDONED_AFTER_MS = 2 * 3_600_000

/** The folder of a purpose, which may not exist yet. */
export function temporaryFolder(dataDir: string, purpose: (typeof PURPOSES)[number]): string {
  return join(dataDir, 'tmp', purpose)
}

/** Makes the folder of downloads from other servers; returns the path of a new one in it, which does not exist yet. */
export async function prepareFetchFolder(dataDir: string): Promise<string> {
  const folder = temporaryFolder(dataDir, 'fetches')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, randomBytes(16).toString('hex'))
}

/** Removes what processes that have ended left behind; returns the number of files and folders. */
export async function removeAbandonedFiles(dataDir: string): Promise<number> {
  let count = 0
  for (const purpose of PURPOSES) count += await removeAbandonedIn(temporaryFolder(dataDir, purpose))
  return count
}

async function removeAbandonedIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing was stored yet
  let count = 0
  for (const name of names) {
    const found = await stat(join(folder, name)).catch(whenAbsent(null)) // absent: its process has just removed it
    if (found === null || found.mtimeMs > Date.now() - ABANDONED_AFTER_MS) continue
    await rm(join(folder, name), { recursive: true, force: true })
    count += 1
  }
  return count
}
