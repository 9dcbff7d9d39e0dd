/**
 * Repositories whose branches and tags the next start compares with the builds. A restored backup is the case: its
 * repositories are a little younger than its database, which does not know the last pushes. Empty files named after the
 * repository, because a restore must not open the database for writing.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** One that was noted. */
export interface PendingRepository {
  readonly repositoryId: number
  /** Call it once its builds are queued. */
  erase(): Promise<void>
}

/** Notes repositories for the next start on this data directory. */
export async function markPending(dataDir: string, repositoryIds: Iterable<number>): Promise<void> {
  const folder = folderOf(dataDir)
  await mkdir(folder, { recursive: true })
  for (const id of repositoryIds) await writeFile(join(folder, String(id)), '')
}

/** Reads what was noted, also by an older version, whose file names go on after the id. */
export async function listPending(dataDir: string): Promise<readonly PendingRepository[]> {
  const folder = folderOf(dataDir)
  const names = await readdir(folder).catch(whenAbsent([])) // absent: nothing was noted
  return names.map((name) => ({
    repositoryId: Number.parseInt(name, 10),
    erase: () => rm(join(folder, name), { force: true }),
  }))
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'tmp', 'pushes')
}
