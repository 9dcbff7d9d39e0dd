import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

/** Connects to PostgreSQL; empty with SQLite, which is part of the data directory. */
export async function checkDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding[]> {
  if (databaseUrl === null) return []
  const { describePostgres } = await import('../../store/postgres/describe-postgres.ts')
  const check = 'database'
  try {
    return [{ check, state: 'good', message: await describePostgres(databaseUrl), remedy: null }]
  } catch (error) {
    const message = `cannot use PostgreSQL: ${error instanceof Error ? error.message : String(error)}`
    return [{ check, state: 'broken', message, remedy: 'Check TEXPROOF_DATABASE_URL and that the server is running.' }]
  }
}
