import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { openDatabaseFile } from '../../store/sqlite/database-file.ts'
import { isSqliteDamage } from '../../store/sqlite/store-errors.ts'
import { explainWrongDatabase } from '../data-dir.ts'
import type { Finding } from './finding.ts'

/** Connects to PostgreSQL. SQLite is part of the data directory, so only its loss or damage is a finding, or a second database. */
export async function checkDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Finding[]> {
  const { databaseUrl } = config
  const check = 'database'
  const wrong = await explainWrongDatabase(config)
  if (wrong !== null) return [{ check, state: 'broken', message: wrong.problem, remedy: wrong.remedy }]
  if (databaseUrl === null) return checkFile(config.dataDir)
  const { describePostgres } = await import('../../store/postgres/describe-postgres.ts')
  try {
    return [{ check, state: 'good', message: await describePostgres(databaseUrl), remedy: null }]
  } catch (error) {
    const message = `cannot use PostgreSQL: ${error instanceof Error ? error.message : String(error)}`
    return [{ check, state: 'broken', message, remedy: 'Check TEXPROOF_DATABASE_URL and that the server is running.' }]
  }
}

function checkFile(dataDir: string): Finding[] {
  const path = join(dataDir, 'texproof.db')
  if (!existsSync(path)) return []
  const file = openDatabaseFile(path, { isReadOnly: true })
  try {
    file.listMigrations()
    return []
  } catch (error) {
    if (!isSqliteDamage(error)) return [] // An interrupted first start leaves an empty file.
    return [
      {
        check: 'database',
        state: 'broken',
        message: `${path} is damaged: ${error.message}`,
        remedy: `Restore a backup: ${commandFor(dataDir, 'restore FILE --replace')}`,
      },
    ]
  } finally {
    file.close()
  }
}
