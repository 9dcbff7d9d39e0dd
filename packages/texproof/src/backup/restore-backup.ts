/**
 * Puts a backup in place of what is in a data directory, or into an empty one.
 *
 * Everything is unpacked and opened beside what is there; only what has passed is put in place, by renames. So whatever
 * is wrong with a backup, nothing is lost, and what it replaces is moved aside, not removed.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'
import { markPending } from '../papers/push/pending-repositories.ts'
import { openDatabaseFile } from '../store/sqlite/database-file.ts'
import type { DatabaseCounts } from '../store/sqlite/database-file.ts'
import { isDatabaseInUse } from '../store/sqlite/is-database-in-use.ts'
import { BackupError } from './backup-error.ts'
import { databaseEntry } from './backup-entries.ts'
import { requireKnownMigrations } from './backup-head.ts'
import type { BackupHead } from './backup-head.ts'
import { checkContents } from './check-contents.ts'
import type { BackupContents } from './check-contents.ts'
import { listContents, putInPlace } from './put-in-place.ts'
import { readBackup } from './read-backup.ts'
import { sweepUnfinished } from './sweep-unfinished.ts'

/** Where to, and how. */
export interface RestoreOptions {
  readonly dataDir: string
  /** Names in the data directory that are no part of what is replaced: backups that are kept there. */
  readonly keep: readonly string[]
  readonly onProgress?: (readBytes: number) => void
  readonly onRepository?: (fullName: string) => void
  readonly signal?: AbortSignal
}

/** What a restore would do. */
export interface RestorePlan extends BackupHead {
  readonly counts: DatabaseCounts
  /** What is there now; null = the data directory is empty, or its database cannot be read. */
  readonly replaced: DatabaseCounts | null
  readonly isEmpty: boolean
}

/** What a restore has done. `aside` is where the old content lies now; null = there was none. */
export type Restored = BackupHead & BackupContents & { readonly aside: string | null }

/**
 * Reads a backup to its end and compares it with what is there; changes nothing.
 *
 * @throws BackupError saying what is wrong with it.
 */
export async function planRestore(path: string, options: RestoreOptions): Promise<RestorePlan> {
  const scratch = join(tmpdir(), `texproof-plan-${randomBytes(6).toString('hex')}`)
  const database = join(scratch, databaseEntry)
  await mkdir(scratch, { mode: 0o700 })
  try {
    const place = (name: string): string | null => (name === databaseEntry ? database : null)
    const head = await readBackup(path, { ...options, scratch, place, onHead: requireKnownMigrations })
    const counts = countIn(database)
    if (counts === null) throw new BackupError('this backup holds no database that can be opened')
    const isEmpty = (await listContents(options)).length === 0
    return { ...head, counts, replaced: countIn(join(options.dataDir, databaseEntry)), isEmpty }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Restores a backup; `isReplacing` unless the data directory is empty.
 *
 * @throws BackupError when it would replace what it may not, a host runs on it, or the backup is not whole.
 */
export async function restoreBackup(
  path: string,
  options: RestoreOptions & { readonly isReplacing: boolean },
): Promise<Restored> {
  const { dataDir, isReplacing, signal } = options
  const isEmpty = (await listContents(options)).length === 0
  if (!isEmpty && !isReplacing)
    throw new BackupError(`${dataDir} is not empty`, {
      remedy: 'Choose an empty folder, or add --replace: what is there is moved aside. Nothing was changed.',
    })
  requireUnused(dataDir)
  await sweepUnfinished(dataDir, dirname(path))
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

/** @throws BackupError */
function requireUnused(dataDir: string): void {
  if (!isDatabaseInUse(dataDir)) return
  throw new BackupError(`a host or a command is working on ${dataDir}`, {
    remedy: 'Stop the host first: a restore under its feet would lose what it writes. Nothing was changed.',
  })
}

/**
 * Repositories are a little younger than the database, see `make-backup.ts`: the host looks at its next start which
 * branches have moved without a build.
 */
async function noteRepositories(folder: string): Promise<void> {
  const spreads = await readdir(join(folder, 'repositories')).catch(whenAbsent([])) // absent: there are none
  const names = await Promise.all(spreads.map((spread) => readdir(join(folder, 'repositories', spread))))
  await markPending(
    folder,
    names.flat().map((name) => Number.parseInt(name, 10)),
  )
}

function countIn(database: string): DatabaseCounts | null {
  try {
    const file = openDatabaseFile(database, { isReadOnly: true })
    try {
      return file.count()
    } finally {
      file.close()
    }
  } catch {
    return null // absent, or no database: there is nothing to count
  }
}
