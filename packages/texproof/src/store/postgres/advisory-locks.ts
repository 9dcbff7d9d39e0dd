/** Locks that the database server releases when the connection of their holder ends. */
import { Client } from 'pg'

import type { ExclusiveTask } from '../open-database.ts'
import { clientConfig } from './postgres-pool.ts'
import { toStoreError } from './postgres-errors.ts'

/** The second half of the key of a lock; the first half is the same for all. */
export const advisoryLocks = { migrations: 1, servers: 2, housekeeping: 3, cache: 4, backups: 5 } as const

/** First half of the keys, so that they differ from the keys of other programs in the same database. */
export const lockSpace = 0x7e8f
/** First half of the keys for repositories. */
const repositorySpace = 0x7e90

/** Runs a function while no other process runs one under the same lock; waits for it, or returns null. */
export async function runLocked<Result>(
  url: string,
  { lock, waits }: { readonly lock: keyof typeof advisoryLocks | ExclusiveTask; readonly waits: boolean },
  run: () => Promise<Result>,
): Promise<Result | null> {
  const client = new Client(clientConfig(url, { isLimited: false }))
  // A lost connection releases the lock, and the statements of `run` fail as well.
  client.on('error', () => {})
  try {
    await client.connect()
    const call = waits ? 'pg_advisory_lock' : 'pg_try_advisory_lock'
    const { rows } = await client.query(`select ${call}($1, $2) as locked`, [...keyOf(lock)])
    if (!waits && rows[0]?.locked !== true) return null
    return await run()
  } catch (error) {
    throw toStoreError(error)
  } finally {
    await client.end().catch(() => {}) // The connection has ended already.
  }
}

function keyOf(lock: keyof typeof advisoryLocks | ExclusiveTask): readonly [number, number] {
  return typeof lock === 'string' ? [lockSpace, advisoryLocks[lock]] : [repositorySpace, lock.maintenanceOf]
}
