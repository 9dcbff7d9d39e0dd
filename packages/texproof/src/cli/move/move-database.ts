/** Copies the database of a stopped host to PostgreSQL or back. A run that was interrupted can be repeated. */
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { syncFolder } from '../../base/durable-file.ts'
import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import type { TableContent } from '../../store/postgres/copy-tables.ts'
import { checkCopy, compareFile, findCopy, loadPostgres } from '../../store/postgres/load-postgres.ts'
import { isServed } from '../../store/postgres/open-postgres.ts'
import { snapshotPostgres } from '../../store/postgres/snapshot-postgres.ts'
import { lockDataDir } from '../../store/sqlite/data-dir-lock.ts'
import { isDatabaseInUse, isFileInUse } from '../../store/sqlite/is-database-in-use.ts'
import { openStore } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { useSealingKey } from '../config/use-sealing-key.ts'
import { findMovedDatabases, requireHost } from '../data-dir.ts'
import { exitCodes } from '../exit-codes.ts'

type MovedConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'sealingKey'>

/** Moved data, and the next steps. */
export interface Moved {
  readonly contents: readonly TableContent[]
  readonly original: string
  readonly next: string
}

/**
 * Copies and verifies the SQLite database, and renames it, because a server without `TEXPROOF_DATABASE_URL` would continue
 * with the old data.
 *
 * @throws CliError when a server uses one of the databases, or the target contains other data.
 */
export async function moveToPostgres(config: MovedConfig, url: string): Promise<Moved> {
  const { dataDir } = config
  const renamed = await findRenamed(dataDir)
  if (renamed === null) {
    refuseWithoutFile(config)
    await requireHost({ dataDir, databaseUrl: null })
  }
  const lock = lockStopped(dataDir)
  try {
    await refuseServed(url)
    const moved =
      renamed === null ? await copyAndRename(config, url) : { contents: await checkMoved(renamed, url), path: renamed }
    const next = `Set TEXPROOF_DATABASE_URL, and start the server: ${commandFor(dataDir, 'serve')}`
    return { contents: moved.contents, original: moved.path, next }
  } finally {
    lock.release()
  }
}

/**
 * A host that has always used PostgreSQL has no file. Without this check, the message would be that the file is lost and
 * a backup must replace the host.
 */
function refuseWithoutFile({ dataDir, databaseUrl }: MovedConfig): void {
  if (databaseUrl === null || !existsSync(dataDir) || existsSync(join(dataDir, 'texproof.db'))) return
  throw new CliError(`${dataDir} contains no SQLite database to move`, {
    exitCode: exitCodes.usage,
    remedy: `TEXPROOF_DATABASE_URL is set: this host already uses PostgreSQL. To move back: ${commandFor(dataDir, 'move --to sqlite:')}`,
  })
}

/** The newest database that an earlier run has renamed, if the host has no other. */
async function findRenamed(dataDir: string): Promise<string | null> {
  if (existsSync(join(dataDir, 'texproof.db'))) return null
  const newest = (await findMovedDatabases(dataDir)).at(-1)
  return newest === undefined ? null : join(dataDir, newest)
}

async function copyAndRename(
  config: MovedConfig,
  url: string,
): Promise<{ readonly contents: readonly TableContent[]; readonly path: string }> {
  const { dataDir } = config
  const path = join(dataDir, 'texproof.db')
  requireUnused(dataDir)
  // Both get the newest schema. The fingerprint of the key is copied with the rest, so that a finished copy is equal.
  const source = await openStore({ dataDir, migratesServed: true })
  await useSealingKey({ ...config, databaseUrl: url }, source).finally(() => source.close())
  await (await openStore({ dataDir, databaseUrl: url })).close()
  const outcome = await loadPostgres(path, url, { beforeCommit: (contents) => requireUnchanged(dataDir, contents) })
  if (outcome.kind === 'not-empty')
    throw new CliError(`the target already contains data, in table ${outcome.table}`, {
      exitCode: exitCodes.usage,
      remedy: 'Create an empty database, for example with: createdb texproof',
    })
  return { contents: outcome.contents, path: await renameMoved(dataDir, outcome.contents) }
}

/** Renames the original, and back if a command has used it since the last check: from here on, commands cannot open it. */
async function renameMoved(dataDir: string, contents: readonly TableContent[]): Promise<string> {
  const path = join(dataDir, 'texproof.db')
  const original = join(dataDir, `texproof-moved-${Date.now()}.db`)
  await rename(path, original)
  if (isFileInUse(original) || (await compareFile(original, contents)) !== null) {
    for (const ending of ['-wal', '-shm']) await rm(`${original}${ending}`, { force: true })
    await rename(original, path)
    throw new CliError(`a command used ${dataDir} while its database was moved`, {
      exitCode: exitCodes.failed,
      remedy: 'The copy in PostgreSQL may be incomplete. Create an empty database, and run the command again.',
    })
  }
  await syncFolder(dataDir)
  return original
}

/** The run that renamed the database may have been interrupted before it reported that. */
async function checkMoved(path: string, url: string): Promise<readonly TableContent[]> {
  const contents = await findCopy(path, url)
  if (contents !== null) return contents
  throw new CliError(`the database was already moved: ${path}`, {
    exitCode: exitCodes.usage,
    remedy: 'The target contains other data. To move that file again, rename it to texproof.db.',
  })
}

/**
 * Copies and verifies the PostgreSQL database, which stays as it is.
 *
 * @throws CliError when a server uses it, or the data directory contains another host.
 */
export async function moveToSqlite(config: MovedConfig): Promise<Moved> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === null)
    throw new CliError('this host already uses SQLite', {
      exitCode: exitCodes.usage,
      remedy: 'Set TEXPROOF_DATABASE_URL to the database to move.',
    })
  const path = join(dataDir, 'texproof.db')
  // An interrupted run may have made the file.
  await requireHost(existsSync(path) ? { dataDir, databaseUrl: null } : config)
  const lock = lockStopped(dataDir)
  try {
    await refuseServed(databaseUrl)
    await (await openStore(config)).close() // the newest schema
    const contents = existsSync(path) ? await checkMovedBack(path, databaseUrl) : await copyToFile(databaseUrl, path)
    const next = `Unset TEXPROOF_DATABASE_URL, and start the server: ${commandFor(dataDir, 'serve')}`
    return { contents, original: 'the PostgreSQL database', next }
  } finally {
    lock.release()
  }
}

async function copyToFile(databaseUrl: string, path: string): Promise<readonly TableContent[]> {
  const draft = `${path}.moving`
  try {
    await rm(draft, { force: true })
    const contents = await snapshotPostgres(databaseUrl, draft)
    await checkCopy(draft, contents)
    // Commands that use PostgreSQL hold no lock.
    if ((await findCopy(draft, databaseUrl)) === null)
      throw changedMeanwhile('a command has changed the PostgreSQL database during the copy')
    await rename(draft, path)
    await syncFolder(dirname(path))
    return contents
  } finally {
    await rm(draft, { force: true })
  }
}

/** The run that made the file may have been interrupted before it reported that. */
async function checkMovedBack(path: string, databaseUrl: string): Promise<readonly TableContent[]> {
  const contents = await findCopy(path, databaseUrl)
  if (contents !== null) return contents
  throw new CliError(`${path} already exists`, {
    exitCode: exitCodes.usage,
    remedy: 'Move it aside: it is another host, or an older copy of this one.',
  })
}

function lockStopped(dataDir: string): { release(): void } {
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'texproof move' })
  if (lock !== null) return lock
  throw new CliError(`a server is using ${dataDir}`, { exitCode: exitCodes.usage, remedy: 'Stop it first.' })
}

/** A command may have run during the copy. @throws CliError */
async function requireUnchanged(dataDir: string, contents: readonly TableContent[]): Promise<void> {
  const isChanged = (await compareFile(join(dataDir, 'texproof.db'), contents)) !== null
  // Afterwards: one that starts during the comparison is still running, or has changed what was compared.
  requireUnused(dataDir)
  if (isChanged) throw changedMeanwhile(`a command has changed ${dataDir} during the copy`)
}

function changedMeanwhile(message: string): CliError {
  return new CliError(message, { exitCode: exitCodes.failed, remedy: 'Nothing was moved. Run the command again.' })
}

/** Commands do not take the lock. What one writes after the copy would be lost. */
function requireUnused(dataDir: string): void {
  if (!isDatabaseInUse(dataDir)) return
  throw new CliError(`a command is using ${dataDir}`, {
    exitCode: exitCodes.usage,
    remedy: 'Nothing was moved. Wait until that command, for example an import, has finished, then run this one again.',
  })
}

async function refuseServed(url: string): Promise<void> {
  if (!(await isServed(url))) return
  throw new CliError('a server is using the PostgreSQL database', {
    exitCode: exitCodes.usage,
    remedy: 'Stop all servers first.',
  })
}
