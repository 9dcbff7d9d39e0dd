import type { Config } from '../../config/read-config.ts'
import { findDataDirHolder, lockDataDir } from '../../store/sqlite/data-dir-lock.ts'
import type { DataDirLock } from '../../store/sqlite/data-dir-lock.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/**
 * Locks the data directory until this server ends, and records its address there. Servers of a PostgreSQL database share it.
 *
 * @throws CliError 2 naming the server that has locked it.
 */
export function lockDataDirForServer({
  dataDir,
  baseUrl,
  databaseUrl,
  listen,
}: Pick<Config, 'dataDir' | 'baseUrl' | 'databaseUrl' | 'listen'>): DataDirLock {
  const address = `${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${listen.port}`
  const holder = { pid: process.pid, url: baseUrl, listen: address }
  const lock = lockDataDir(dataDir, holder, { isShared: databaseUrl !== null })
  if (lock !== null) return lock
  const other = findDataDirHolder(dataDir)
  const by = other === null ? '' : ` (pid ${other.pid}, ${other.url})`
  throw new CliError(`another server is already running on ${dataDir}${by}`, {
    exitCode: exitCodes.usage,
    remedy: 'Stop it, or choose another data directory with --data DIR.',
  })
}
