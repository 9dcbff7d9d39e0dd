import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'

/** Suffix of the name of a backup while it is written. */
export const unfinishedEnding = '.unfinished'

const UNFINISHED_RESTORE = /^restore-[0-9a-f]{12}$/

/** A file that is being written is modified all the time, so a file this old is abandoned. */
const ABANDONED_AFTER_MS = 86_400_000

/**
 * Removes files that killed backups and restores have left in the data directory and in the backup folder, and copies of the
 * database of killed checks.
 */
export async function sweepUnfinished(dataDir: string, folder: string): Promise<void> {
  await removeOld(join(dataDir, 'tmp'), /^(?:backup-[0-9a-f]{12}|doctor-\w{6})$/)
  await removeOld(dataDir, UNFINISHED_RESTORE)
  await removeOld(folder, /\.[0-9a-f]{12}\.unfinished$/)
}

/**
 * Removes what a killed restore has left, which can be as large as the backup and may be why the next one has no room. Call this
 * only with the lock of the data directory: no other restore is running then.
 */
export async function sweepRestores(dataDir: string): Promise<void> {
  await removeOld(dataDir, UNFINISHED_RESTORE, 0)
}

async function removeOld(folder: string, form: RegExp, minAgeMs = ABANDONED_AFTER_MS): Promise<void> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing to remove
  for (const name of names.filter((each) => form.test(each))) {
    const place = join(folder, name)
    const found = await stat(place).catch(whenAbsent(null)) // removed in the meantime
    if (found !== null && Date.now() - found.mtimeMs >= minAgeMs) await rm(place, { recursive: true, force: true })
  }
}
