import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../../base/durable-file.ts'
import { commandFor } from '../../config/command-line.ts'
import { parseBucketUrl } from '../../config/parse-bucket-url.ts'
import { parsePostgresUrl } from '../../config/parse-values.ts'
import { readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import type { TableContent } from '../../store/postgres/copy-tables.ts'
import { isServed } from '../../store/postgres/open-postgres.ts'
import { checkCopy, loadPostgres } from '../../store/postgres/load-postgres.ts'
import { snapshotPostgres } from '../../store/postgres/snapshot-postgres.ts'
import { lockDataDir } from '../../store/sqlite/data-dir-lock.ts'
import { openStore } from '../../store/store.ts'
import { CliError } from '../cli-error.ts'
import { openStepLine } from '../backup/show-step.ts'
import { requireHost } from '../data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'
import { useSealingKey } from '../config/use-sealing-key.ts'
import type { MoveOptions } from './move.ts'

/** What was moved, and what to do next. */
interface Moved {
  readonly contents: readonly TableContent[]
  readonly original: string
  readonly next: string
}

/**
 * Moves the database of a host, its blobs, or both. `--blobs` alone leaves the database where it is.
 *
 * @throws CliError when a server uses the database, or the target contains a host already.
 */
export async function runMove(options: MoveOptions): Promise<void> {
  const { config } = readConfig({ data: options.data })
  if (options.to !== undefined || options.blobs === undefined) await moveDatabase(config, options)
  if (options.blobs !== undefined) await moveBlobs(config, options)
}

async function moveDatabase(config: Config, options: MoveOptions): Promise<void> {
  const moved = options.to === 'sqlite:' ? await moveToSqlite(config) : await moveToPostgres(config, options.to)
  const rowCount = moved.contents.reduce((sum, table) => sum + table.rowCount, 0)
  if (options.json)
    return printJson({
      original: moved.original,
      tables: moved.contents.map(({ name, rowCount: rows, checksum }) => ({ name, rows, sha256: checksum })),
    })
  say(`Moved and verified ${rowCount} rows of ${moved.contents.length} tables. The original is kept: ${moved.original}`)
  say(moved.next)
}

async function moveBlobs(config: Config, { blobs, json }: MoveOptions): Promise<void> {
  const isBack = blobs === 'disk:'
  const address = typeof blobs === 'string' && !isBack ? parseBucketUrl(blobs) : config.bucket
  if (address === null)
    throw new CliError(typeof blobs === 'string' && !isBack ? 'invalid bucket URL' : 'TEXPROOF_BLOB_URL is not set', {
      exitCode: exitCodes.usage,
      remedy: 'Expected: s3://KEY:SECRET@HOST/BUCKET/PREFIX',
    })
  await requireHost(config)
  const { moveToBucket, moveToDisk } = await import('./move-blobs.ts')
  const line = openStepLine()
  const onFile = (done: number, of: number): void => line.show(`file ${done} of ${of}`)
  const move = isBack ? moveToDisk : moveToBucket
  const moved = await move({ dataDir: config.dataDir, address, onFile }).finally(() => line.end())
  const { url, fileCount, copiedCount } = moved
  if (json) return printJson({ bucket: url, files: fileCount, copied: copiedCount })
  const target = isBack ? `from ${url} to ${join(config.dataDir, 'cache')}` : `to ${url}`
  say(`Copied and verified ${copiedCount} of ${fileCount} files ${target}. The others were there already.`)
  if (isBack) say('Unset TEXPROOF_BLOB_URL, and restart the server.')
  else if (config.bucket === null) say('Set TEXPROOF_BLOB_URL, restart the server, and run this again for newer files.')
}

async function moveToPostgres(config: Config, to: string | undefined): Promise<Moved> {
  const { dataDir } = config
  const url = to === undefined ? config.databaseUrl : parsePostgresUrl(to)
  if (url === null)
    throw new CliError(to === undefined ? 'no target' : `invalid target "${to.replace(/:[^:@/]*@/, ':…@')}"`, {
      exitCode: exitCodes.usage,
      remedy: 'Expected: --to postgres://USER:PASSWORD@HOST:5432/DATABASE, or --to sqlite:',
    })
  await requireHost({ dataDir, databaseUrl: null })
  const lock = lockStopped(dataDir)
  try {
    await refuseServed(url)
    const path = join(dataDir, 'texproof.db')
    // Both get the newest schema.
    await (await openStore({ dataDir, migratesServed: true })).close()
    await (await openStore({ dataDir, databaseUrl: url })).close()
    const outcome = await loadPostgres(path, url)
    if (outcome.kind === 'not-empty')
      throw new CliError(`the target contains data already, in table ${outcome.table}`, {
        exitCode: exitCodes.usage,
        remedy: 'Create an empty database, for example with: createdb texproof',
      })
    const target = await openStore({ dataDir, databaseUrl: url })
    await useSealingKey({ ...config, databaseUrl: url }, target.settings).finally(() => target.close())
    const original = join(dataDir, `texproof-moved-${Date.now()}.db`)
    // A server without TEXPROOF_DATABASE_URL would continue with the old data.
    await rename(path, original)
    await syncFolder(dataDir)
    return {
      contents: outcome.contents,
      original,
      next: `Set TEXPROOF_DATABASE_URL, and start the server: ${commandFor(dataDir, 'serve')}`,
    }
  } finally {
    lock.release()
  }
}

async function moveToSqlite(config: Config): Promise<Moved> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === null)
    throw new CliError('this host uses SQLite already', {
      exitCode: exitCodes.usage,
      remedy: 'Set TEXPROOF_DATABASE_URL to the database to move.',
    })
  await requireHost(config)
  const path = join(dataDir, 'texproof.db')
  if (existsSync(path))
    throw new CliError(`${path} exists already`, {
      exitCode: exitCodes.usage,
      remedy: 'Move it aside: it is another host.',
    })
  const lock = lockStopped(dataDir)
  const draft = `${path}.moving`
  try {
    await refuseServed(databaseUrl)
    await (await openStore(config)).close() // the newest schema
    await rm(draft, { force: true })
    const contents = await snapshotPostgres(databaseUrl, draft)
    await checkCopy(draft, contents)
    await rename(draft, path)
    await syncFolder(dataDir)
    const next = `Unset TEXPROOF_DATABASE_URL, and start the server: ${commandFor(dataDir, 'serve')}`
    return { contents, original: 'the PostgreSQL database', next }
  } finally {
    await rm(draft, { force: true })
    lock.release()
  }
}

function lockStopped(dataDir: string): { release(): void } {
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'texproof move' })
  if (lock !== null) return lock
  throw new CliError(`a server is running on ${dataDir}`, { exitCode: exitCodes.usage, remedy: 'Stop it first.' })
}

async function refuseServed(url: string): Promise<void> {
  if (!(await isServed(url))) return
  throw new CliError('a server is using the PostgreSQL database', {
    exitCode: exitCodes.usage,
    remedy: 'Stop all servers first.',
  })
}
