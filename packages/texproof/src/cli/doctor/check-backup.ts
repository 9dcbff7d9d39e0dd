import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

import { findBackupRecord } from '../../backup/last-backup.ts'
import type { BackupRecord } from '../../backup/last-backup.ts'
import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { openDatabaseFile } from '../../store/sqlite/database-file.ts'
import { isSqliteDamage, StoreRefused, StoreUnavailable } from '../../store/sqlite/store-errors.ts'
import { backupCard } from '../../web/admin/backup-card.ts'
import { CliError } from '../cli-error.ts'
import { withStore } from '../with-store.ts'
import type { Finding } from './finding.ts'

const states = { good: 'good', warned: 'weak', failed: 'broken' } as const

/** Checks the age of the last backup; empty if there is no host yet. */
export async function checkBackup(config: Config): Promise<Finding[]> {
  const path = join(config.dataDir, 'texproof.db')
  if (config.databaseUrl === null && !existsSync(path)) return []
  const check = 'backup'
  try {
    const { state, text, remedy } = backupCard(config, { ...(await readRecord(path, config)), now: Date.now() })
    return [{ check, state: states[state], message: text, remedy: remedy?.split('\n')[0] ?? null }]
  } catch (error) {
    const isFoundBefore = isSqliteDamage(error) || error instanceof StoreRefused || error instanceof StoreUnavailable
    if (isFoundBefore) return [] // by checkDatabase
    if (!(await isWritable(config.dataDir))) return [] // Found by checkDataDir.
    if (error instanceof CliError) return [{ check, state: 'broken', message: error.message, remedy: error.remedy }]
    const message = `cannot read the last backup from the database: ${error instanceof Error ? error.message : String(error)}`
    return [
      {
        check,
        state: 'weak',
        message,
        remedy: `Start the server to migrate the database: ${commandFor(config.dataDir, 'serve')}`,
      },
    ]
  }
}

/** SQLite opens the database of a stopped server only in a folder that it may write to. */
function isWritable(dataDir: string): Promise<boolean> {
  return access(dataDir, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Does not migrate the database: a server of an earlier version may be running on it. */
async function readRecord(path: string, config: Config): Promise<BackupRecord> {
  if (config.databaseUrl !== null) return withStore(config, findBackupRecord)
  const file = openDatabaseFile(path)
  try {
    return await findBackupRecord({ settings: { find: async (key) => file.findSetting(key) } })
  } finally {
    file.close()
  }
}
