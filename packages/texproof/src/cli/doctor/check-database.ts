import type { Config } from '../../config/read-config.ts'
import { explainWrongDatabase } from '../data-dir.ts'
import type { Finding } from './finding.ts'

/** Connects to PostgreSQL. SQLite is part of the data directory, so only its loss is a finding, or a second database. */
export async function checkDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): Promise<Finding[]> {
  const { databaseUrl } = config
  const check = 'database'
  const wrong = await explainWrongDatabase(config)
  if (wrong !== null) return [{ check, state: 'broken', message: wrong.problem, remedy: wrong.remedy }]
  if (databaseUrl === null) return []
  const { describePostgres } = await import('../../store/postgres/describe-postgres.ts')
  try {
    return [{ check, state: 'good', message: await describePostgres(databaseUrl), remedy: null }]
  } catch (error) {
    const message = `cannot use PostgreSQL: ${error instanceof Error ? error.message : String(error)}`
    return [{ check, state: 'broken', message, remedy: 'Check TEXPROOF_DATABASE_URL and that the server is running.' }]
  }
}
