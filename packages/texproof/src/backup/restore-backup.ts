/**
 * Restores a backup to a data directory, which may be empty.
 *
 * Everything is unpacked and verified next to the current contents, and moved into place by renames only if it is
 * valid. A defective backup therefore loses nothing, and replaced contents are moved aside, not removed.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'
import { markPending } from '../papers/push/pending-repositories.ts'
import { lockDataDir } from '../store/sqlite/data-dir-lock.ts'
import type { DataDirLock } from '../store/sqlite/data-dir-lock.ts'
import { openDatabaseFile } from '../store/sqlite/database-file.ts'
import type { DatabaseCounts } from '../store/sqlite/database-file.ts'
import { isDatabaseInUse } from '../store/sqlite/is-database-in-use.ts'
import { BackupError } from './backup-error.ts'
import { databaseEntry } from './backup-entries.ts'
import { requireKnownMigrations } from './backup-head.ts'
import type { BackupHead } from './backup-head.ts'
import { checkContents } from './check-contents.ts'
import type { BackupContents } from './check-contents.ts'
import { isDataDir, listContents, putInPlace } from './put-in-place.ts'
import { readBackup } from './read-backup.ts'
import type { ReadEntries } from './read-backup.ts'
import { sweepRestores, sweepUnfinished } from './sweep-unfinished.ts'

/** The target and options. */
export interface RestoreOptions {
  readonly dataDir: string
  /** Names in the data directory that are not replaced: backups that are stored there. */
  readonly keep: readonly string[]
  readonly onProgress?: (readBytes: number) => void
  readonly onRepository?: (fullName: string) => void
  readonly signal?: AbortSignal
}

/** Effects of a restore. */
export interface RestorePlan extends BackupHead {
  readonly counts: DatabaseCounts
  /** The current contents; null = the data directory is empty, or its database cannot be read. */
  readonly replaced: DatabaseCounts | null
  readonly isEmpty: boolean
}

/** The result of a restore. `aside` is the path of the old contents; null = there were none. */
export type Restored = BackupHead & BackupContents & ReadEntries & { readonly aside: string | null }

/**
 * Reads a whole backup and compares it with the current contents. Changes nothing.
 *
 * @throws BackupError which describes the defect.
 */
export async function planRestore(path: string, options: RestoreOptions): Promise<RestorePlan> {
  const scratch = join(tmpdir(), `texproof-plan-${randomBytes(6).toString('hex')}`)
  const database = join(scratch, databaseEntry)
  await mkdir(scratch, { mode: 0o700 })
  try {
    const place = (name: string): string | null => (name === databaseEntry ? database : null)
    const head = await readBackup(path, { ...options, scratch, place, onHead: requireKnownMigrations })
    const counts = countIn(database)
    if (counts === null) throw new BackupError('this backup has no readable database')
    const isEmpty = (await listContents(options)).length === 0
    return { ...head, counts, replaced: countIn(join(options.dataDir, databaseEntry)), isEmpty }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Restores a backup; `isReplacing` is required unless the data directory is empty.
 *
 * @throws BackupError when it would replace contents without permission, a host runs on the data directory, or the
 * backup is defective.
 */
export async function restoreBackup(
  path: string,
  options: RestoreOptions & { readonly isReplacing: boolean },
): Promise<Restored> {
  const { dataDir, isReplacing } = options
  const isEmpty = (await listContents(options)).length === 0
  if (!isEmpty && !isReplacing)
    throw new BackupError(`${dataDir} is not empty`, {
      remedy: 'Choose an empty folder, or move the existing data aside with --replace. Nothing was changed.',
    })
  if (!isEmpty && !(await isDataDir(dataDir)))
    throw new BackupError(`${dataDir} is not a data directory`, {
      remedy:
        'Check --data and TEXPROOF_DATA_DIR: --replace moves only the contents of a host aside. Nothing was changed.',
    })
  const lock = lockUnused(dataDir)
  try {
    return await replaceContents(path, options)
  } finally {
    lock.release()
  }
}

async function replaceContents(path: string, options: RestoreOptions): Promise<Restored> {
  const { dataDir, signal } = options
  await sweepUnfinished(dataDir, dirname(path))
  await sweepRestores(dataDir)
  const scratch = join(dataDir, `restore-${randomBytes(6).toString('hex')}`)
  const folder = join(scratch, 'data')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const place = (name: string): string => join(folder, name)
    const head = await readBackup(path, { ...options, scratch, place, onHead: requireKnownMigrations })
    const contents = await checkContents(folder, options)
    await noteRepositories(folder)
    signal?.throwIfAborted()
    requireUnused(dataDir)
    return { ...head, ...contents, aside: await putInPlace(folder, options) }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Keeps servers from starting until the lock is released. Servers of a PostgreSQL database hold it, too; commands only open
 * the database.
 *
 * @throws BackupError
 */
function lockUnused(dataDir: string): DataDirLock {
  requireUnused(dataDir)
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'texproof restore' })
  if (lock === null) throw inUse(dataDir)
  return lock
}

/** @throws BackupError */
function requireUnused(dataDir: string): void {
  if (isDatabaseInUse(dataDir)) throw inUse(dataDir)
}

function inUse(dataDir: string): BackupError {
  return new BackupError(`a server or command is using ${dataDir}`, {
    remedy: 'Stop the server first: its changes would be lost. Nothing was changed.',
  })
}

/**
 * Repositories are slightly newer than the database, see `write-backup.ts`: at its next start, the host finds branches
 * that have moved without a build.
 */
async function noteRepositories(folder: string): Promise<void> {
  const spreads = await readdir(join(folder, 'repositories')).catch(whenAbsent([])) // absent: there are no repositories
  const names = await Promise.all(spreads.map((spread) => readdir(join(folder, 'repositories', spread))))
  await markPending(
    folder,
    names.flat().map((name) => Number.parseInt(name, 10)),
  )
}

function countIn(database: string): DatabaseCounts | null {
  try {
    const file = openDatabaseFile(database)
    try {
      return file.count()
    } finally {
      file.close()
    }
  } catch {
    return null // absent, or not a database: nothing to count
  }
}
