/**
 * Repositories whose branches and tags the next start compares with the builds: those of a restored backup, which are
 * slightly newer than its database, and one that is being restored from the trash. Each is an empty file named after
 * the repository, because restoring a backup must not open the database for writing.
 */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'

/** Marks repositories for the next start on this data directory. */
export async function markPending(dataDir: string, repositoryIds: Iterable<number>): Promise<void> {
  const folder = folderOf(dataDir)
  await makeFolderDurably(folder)
  for (const id of repositoryIds) await writeFile(join(folder, String(id)), '')
  await syncFolder(folder)
}

/** Ids of the marked repositories. */
export async function listPending(dataDir: string): Promise<readonly number[]> {
  const names = await readdir(folderOf(dataDir)).catch(whenAbsent([])) // absent: no repository is marked
  return names.map(Number)
}

/** To be called once the builds of the repository are queued. */
export async function erasePending(dataDir: string, repositoryId: number): Promise<void> {
  await rm(join(folderOf(dataDir), String(repositoryId)), { force: true })
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'tmp', 'pushes')
}
