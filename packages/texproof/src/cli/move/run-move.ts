import { join } from 'node:path'

import { parseBucketUrl } from '../../config/parse-bucket-url.ts'
import { parsePostgresUrl } from '../../config/parse-values.ts'
import { readConfig } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import { CliError } from '../cli-error.ts'
import { openStepLine } from '../backup/show-step.ts'
import { requireHost } from '../data-dir.ts'
import { exitCodes } from '../exit-codes.ts'
import { printJson } from '../print.ts'
import { say } from '../say.ts'
import { moveToPostgres, moveToSqlite } from './move-database.ts'
import type { MoveOptions } from './move.ts'

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
  const moved =
    options.to === 'sqlite:' ? await moveToSqlite(config) : await moveToPostgres(config, chooseTarget(config, options))
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
  say(`Copied and verified ${copiedCount} of ${fileCount} files ${target}. The other files already existed.`)
  if (isBack) say('Unset TEXPROOF_BLOB_URL, and restart the server.')
  else if (config.bucket === null) say('Set TEXPROOF_BLOB_URL, restart the server, and run this again for newer files.')
}

function chooseTarget({ databaseUrl }: Config, { to }: MoveOptions): string {
  const url = to === undefined ? databaseUrl : parsePostgresUrl(to)
  if (url !== null) return url
  throw new CliError(to === undefined ? 'no target' : 'invalid target', {
    exitCode: exitCodes.usage,
    remedy: 'Expected: --to postgres://USER:PASSWORD@HOST:5432/DATABASE, or --to sqlite:',
  })
}
