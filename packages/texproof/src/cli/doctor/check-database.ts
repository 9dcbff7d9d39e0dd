import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { openDatabaseFile } from '../../store/sqlite/database-file.ts'
import { isSqliteDamage, StoreRefused, StoreUnavailable } from '../../store/sqlite/store-errors.ts'
import { explainWrongKey, sealingFingerprintKey } from '../config/use-sealing-key.ts'
import { explainWrongDatabase } from '../data-dir.ts'
import { checkRepositoriesOnDisk } from './check-repositories-on-disk.ts'
import type { Finding } from './finding.ts'

type DatabasePlace = Pick<Config, 'dataDir' | 'databaseUrl' | 'sealingKey'>

/** Connects to PostgreSQL. SQLite is part of the data directory, so only its loss or damage is a finding, a second database, or the wrong key. Repositories that are missing on disk are a finding, too. */
export async function checkDatabase(config: DatabasePlace): Promise<Finding[]> {
  const { databaseUrl } = config
  const check = 'database'
  const wrong = await explainWrongDatabase(config)
  if (wrong !== null) return [{ check, state: 'broken', message: wrong.problem, remedy: wrong.remedy }]
  if (databaseUrl === null) return checkFile(config)
  const { countPostgresRepositories, describePostgres } = await import('../../store/postgres/describe-postgres.ts')
  try {
    const description = await describePostgres(databaseUrl)
    const missing = await checkRepositoriesOnDisk(config, { storedCount: await countPostgresRepositories(databaseUrl) })
    return [{ check, state: 'good', message: description, remedy: null }, ...missing]
  } catch (error) {
    if (error instanceof StoreRefused) return [{ check, state: 'broken', message: error.message, remedy: error.remedy }]
    const message = `cannot use PostgreSQL: ${error instanceof Error ? error.message : String(error)}`
    const remedy = error instanceof StoreUnavailable ? error.remedy : 'Check TEXPROOF_DATABASE_URL.'
    return [{ check, state: 'broken', message, remedy }]
  }
}

async function checkFile(config: DatabasePlace): Promise<Finding[]> {
  const { dataDir } = config
  const path = join(dataDir, 'texproof.db')
  if (!existsSync(path)) return []
  const file = openDatabaseFile(path)
  try {
    const fingerprint = file.findSetting(sealingFingerprintKey)
    const wrong = fingerprint === null ? null : await explainWrongKey(config, fingerprint)
    if (wrong !== null) return [{ check: 'secrets', state: 'broken', message: wrong.problem, remedy: wrong.remedy }]
    return await checkRepositoriesOnDisk(config, { storedCount: file.count().repositories })
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
