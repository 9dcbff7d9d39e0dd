import { join } from 'node:path'

import { admitCopy } from '../git/admin/admit-copy.ts'
import { repositoryPath } from '../git/admin/repository-path.ts'
import { openDatabaseFile } from '../store/sqlite/database-file.ts'
import type { DatabaseCounts } from '../store/sqlite/database-file.ts'
import { BackupError } from './backup-error.ts'
import { databaseEntry } from './backup-entries.ts'

/** The contents of an unpacked backup. */
export interface BackupContents {
  readonly counts: DatabaseCounts
  /** Repositories with missing objects. They were missing when the backup was made: the entries are verified. */
  readonly damaged: readonly { readonly fullName: string; readonly damage: string }[]
}

interface CheckOptions {
  readonly onRepository?: ((fullName: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens everything that was unpacked into a folder: the database, and every repository that it lists, whose files are
 * completed to a repository first.
 *
 * @throws BackupError when the database is damaged.
 */
export async function checkContents(
  folder: string,
  { onRepository, signal }: CheckOptions = {},
): Promise<BackupContents> {
  const database = openSound(join(folder, databaseEntry))
  const damaged: { fullName: string; damage: string }[] = []
  try {
    for (const { id, fullName } of database.listRepositories()) {
      onRepository?.(fullName)
      const damage = await admitCopy(repositoryPath(join(folder, 'repositories'), id), { signal })
      if (damage !== null) damaged.push({ fullName, damage })
    }
    return { counts: database.count(), damaged }
  } finally {
    database.close()
  }
}

function openSound(path: string): ReturnType<typeof openDatabaseFile> {
  const database = open(path)
  const damage = database.findDamage()
  if (damage === null) return database
  database.close()
  throw new BackupError(`the database of this backup is damaged: ${damage}`, { remedy: 'Try an earlier backup.' })
}

function open(path: string): ReturnType<typeof openDatabaseFile> {
  try {
    return openDatabaseFile(path)
  } catch (cause) {
    throw new BackupError('this backup has no readable database', { remedy: 'Try an earlier one.', cause })
  }
}
