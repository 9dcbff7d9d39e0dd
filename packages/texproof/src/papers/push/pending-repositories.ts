/**
 * Repositories whose branches and tags the server compares with the builds, at its start and every minute:
 * repositories of a restored backup, which are slightly newer than its database, and a repository that is being restored
 * from the trash or enabled.
 * The mark stays while the repository is disabled or in the trash. Each mark is an empty file named after the repository, because
 * restoring a backup must not open the database for writing.
 */
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'

/** Marks repositories for the server, or for the next start on this data directory. */
export async function markPending(dataDir: string, repositoryIds: Iterable<number>): Promise<void> {
  const folder = folderOf(dataDir)
  await makeFolderDurably(folder)
  for (const id of repositoryIds) await writeFile(join(folder, String(id)), '')
  await syncFolder(folder)
}

/** Ids of the repositories that were marked before a time (epoch milliseconds), by default of all. */
export async function listPending(
  dataDir: string,
  { before = Infinity }: { readonly before?: number } = {},
): Promise<readonly number[]> {
  const folder = folderOf(dataDir)
  const names = await readdir(folder).catch(whenAbsent([])) // absent: no repository is marked
  const ids: number[] = []
  for (const name of names) {
    const mark = await stat(join(folder, name)).catch(whenAbsent(null)) // absent: erased in the meantime
    if (mark !== null && mark.mtimeMs < before) ids.push(Number(name))
  }
  return ids
}

/** Removes the mark of a repository. Call it once the builds of the repository are queued. */
export async function erasePending(dataDir: string, repositoryId: number): Promise<void> {
  await rm(join(folderOf(dataDir), String(repositoryId)), { force: true })
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'tmp', 'pushes')
}
