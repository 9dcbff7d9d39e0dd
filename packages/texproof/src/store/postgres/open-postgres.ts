import { randomUUID } from 'node:crypto'

import { Kysely } from 'kysely'

import { migrateSchema, SchemaInUse } from '../sqlite/migrate.ts'
import type { OpenDatabase, OpenDatabaseOptions } from '../open-database.ts'
import type { Schema } from '../schema.ts'
import { runLocked } from './advisory-locks.ts'
import { describePostgres } from './describe-postgres.ts'
import { openChangeChannel } from './change-channel.ts'
import { createChangeCounter } from './change-counter.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { openPostgresPool } from './postgres-pool.ts'
import { snapshotPostgres } from './snapshot-postgres.ts'

/**
 * Opens a PostgreSQL database, and creates or migrates its schema if necessary.
 *
 * @throws NewerSchema; SchemaInUse; StoreUnavailable.
 */
export async function openPostgres(
  url: string,
  { isServer = false, migratesServed = true, beforeStatement }: OpenDatabaseOptions,
): Promise<OpenDatabase> {
  await runLocked(url, { lock: 'migrations', waits: true }, () => migrateLocked(url, { migratesServed }))
  const changes = createChangeCounter()
  const listeners = new Set<() => void>()
  const onChange = (): void => {
    changes.add()
    for (const listener of listeners) listener()
  }
  const channel = openChangeChannel(url, { onChange, isServer })
  const onWrite = (): void => {
    changes.add()
    channel.notify()
  }
  const db = new Kysely<Schema>({ dialect: postgresDialect(openPostgresPool(url, { onWrite, beforeStatement })) })
  return {
    db,
    version: changes.version,
    describe: () => describePostgres(url),
    async snapshot(path, { signal } = {}) {
      await snapshotPostgres(url, path, { signal })
    },
    instanceId: randomUUID(),
    onOthersChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    runExclusively: (task, run) => runLocked(url, { lock: task, waits: false }, run),
    async close() {
      await channel.close()
      await db.destroy()
    },
  }
}

async function migrateLocked(url: string, { migratesServed }: { readonly migratesServed: boolean }): Promise<void> {
  const pool = openPostgresPool(url, { isLimited: false, onWrite: () => {} })
  const db = new Kysely<Schema>({ dialect: postgresDialect(pool) })
  try {
    await migrateSchema(db, {
      async beforeUpgrade() {
        if (!migratesServed && (await isServed(url))) throw new SchemaInUse('this database')
      },
    })
  } finally {
    await db.destroy()
  }
}

/** Whether a server uses a database. */
export async function isServed(url: string): Promise<boolean> {
  return (await runLocked(url, { lock: 'servers', waits: false }, async () => true)) === null
}
