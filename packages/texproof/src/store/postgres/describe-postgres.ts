import { Client } from 'pg'

import { toStoreError } from './postgres-errors.ts'
import { clientConfig } from './postgres-pool.ts'

/** Version, database and server, without password. @throws StoreUnavailable; Error of the server, for example about a wrong password. */
export function describePostgres(url: string): Promise<string> {
  return connectOnce(url, async (client) => {
    const { rows } = await client.query(
      `select current_setting('server_version') as version, current_database() as name`,
    )
    return `PostgreSQL ${rows[0]?.version}, database ${rows[0]?.name} on ${client.host}`
  })
}

/** Number of repositories of a host that may not have been started yet: the schema is not created. @throws like `describePostgres`. */
export function countPostgresRepositories(url: string): Promise<number> {
  return connectOnce(url, async (client) => {
    const { rows: tables } = await client.query(`select to_regclass('repository') as name`)
    if (tables[0]?.name === null) return 0
    const { rows } = await client.query(`select count(*)::integer as total from repository where state = 'ready'`)
    return rows[0]?.total ?? 0
  })
}

async function connectOnce<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(clientConfig(url, { isLimited: true }))
  client.on('error', () => {}) // The statement fails.
  try {
    await client.connect()
    return await use(client)
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.end().catch(() => {}) // The connection is lost.
  }
}
