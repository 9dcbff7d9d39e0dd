import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'

/** What the name of a backup ends with while it is written. */
export const unfinishedEnding = '.unfinished'

/** What is written gets a new time again and again, so a file this old is abandoned. */
const ABANDONED_AFTER_MS = 86_400_000

/** Removes what backups and restores that were killed have left in the data directory and in the folder of backups. */
export async function sweepUnfinished(dataDir: string, folder: string): Promise<void> {
  await removeOld(join(dataDir, 'tmp'), /^backup-[0-9a-f]{12}$/)
  await removeOld(dataDir, /^restore-[0-9a-f]{12}$/)
  await removeOld(folder, /\.[0-9a-f]{12}\.unfinished$/)
}

async function removeOld(folder: string, form: RegExp): Promise<void> {
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing was left there
  for (const name of names.filter((each) => form.test(each))) {
    const place = join(folder, name)
    const found = await stat(place).catch(whenAbsent(null)) // gone meanwhile
    if (found !== null && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS)
      await rm(place, { recursive: true, force: true })
  }
}
