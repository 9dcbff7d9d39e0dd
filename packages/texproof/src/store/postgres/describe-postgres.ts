import { Client } from 'pg'

import { toStoreError } from './postgres-errors.ts'
import { clientConfig } from './postgres-pool.ts'

/** Version, database and server, without password. @throws StoreUnavailable; Error of the server, for example about a wrong password. */
export async function describePostgres(url: string): Promise<string> {
  const client = new Client(clientConfig(url, { isLimited: true }))
  client.on('error', () => {}) // The statement fails.
  try {
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('server_version') as version, current_database() as name`,
    )
    return `PostgreSQL ${rows[0]?.version}, database ${rows[0]?.name} on ${client.host}`
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.end().catch(() => {}) // The connection is lost.
  }
}
