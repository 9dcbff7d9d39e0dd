import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'

/** Suffix of the name of a backup while it is written. */
export const unfinishedEnding = '.unfinished'

/** A file that is being written is modified all the time, so a file this old is abandoned. */
const ABANDONED_AFTER_MS = 86_400_000

/**
 * Removes files that killed backups and restores have left in the data directory and in the backup folder, and copies of the
 * database of killed checks.
 */
export async function sweepUnfinished(dataDir: string, folder: string): Promise<void> {
  await removeOld(join(dataDir, 'tmp'), /^(?:backup-[0-9a-f]{12}|doctor-\w{6})$/)
  await removeOld(dataDir, /^restore-[0-9a-f]{12}$/)
  await removeOld(folder, /\.[0-9a-f]{12}\.unfinished$/)
}

async function removeOld(folder: string, form: RegExp): Promise<void> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing to remove
  for (const name of names.filter((each) => form.test(each))) {
    const place = join(folder, name)
    const found = await stat(place).catch(whenAbsent(null)) // removed in the meantime
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(place, { recursive: true, force: true })
  }
}
