/**
 * Copies a PostgreSQL database to a SQLite file. Backups therefore have the same content on both databases, and can be
 * restored without PostgreSQL.
 */
import { rm } from 'node:fs/promises'

import { Kysely, sql } from 'kysely'

import type { Schema } from '../schema.ts'
import { migrateSchema } from '../sqlite/migrate.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { snapshotSqlite } from '../sqlite/snapshot-sqlite.ts'
import { SqliteHandle } from '../sqlite/sqlite-handle.ts'
import { copyTables, type TableContent } from './copy-tables.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { openPostgresPool } from './postgres-pool.ts'
import { postgresSide } from './postgres-side.ts'
import { listTables, sqliteSide } from './sqlite-side.ts'

/**
 * Copies the current database to a file that does not exist yet. Returns what it contains.
 *
 * @throws the reason of `signal` when it aborts; there is then no file.
 */
export async function snapshotPostgres(
  url: string,
  path: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly TableContent[]> {
  const draft = `${path}.part`
  await removeDatabase(draft) // of a copy that was cut off
  const handle = new SqliteHandle(draft)
  const target = new Kysely<Schema>({ dialect: sqliteDialect({ reader: handle, writer: handle }) })
  try {
    await migrateSchema(target, { beforeUpgrade: async () => {} })
    const contents = await withConsistentRead(url, async (source) => {
      const tables = await listTables(target)
      return target
        .transaction()
        .execute((writing) => copyTables(tables, { from: postgresSide(source), to: sqliteSide(writing), signal }))
    })
    await snapshotSqlite(draft, path, { signal })
    return contents
  } finally {
    await target.destroy()
    handle.close()
    await removeDatabase(draft)
  }
}

/**
 * Reads one state of the database. Its moment is between two pushes: ids of pushes that finish later are greater than
 * all ids in the copy.
 */
async function withConsistentRead<Result>(url: string, read: (db: Kysely<Schema>) => Promise<Result>): Promise<Result> {
  const db = new Kysely<Schema>({
    dialect: postgresDialect(openPostgresPool(url, { isLimited: false, onWrite: () => {} })),
  })
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (reading) => {
        const moment = await exportMoment(db)
        try {
          await sql`set transaction snapshot ${sql.lit(moment.name)}`.execute(reading)
        } finally {
          await moment.release()
        }
        return read(reading)
      })
  } finally {
    await db.destroy()
  }
}

/** Stops pushes for a moment, in another transaction, which can end before the copy does. */
async function exportMoment(
  db: Kysely<Schema>,
): Promise<{ readonly name: string; readonly release: () => Promise<void> }> {
  const locking = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  try {
    await sql`lock table push, push_journal in share mode`.execute(locking)
    const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(locking)
    return { name: rows[0]?.name ?? '', release: () => locking.rollback().execute() }
  } catch (error) {
    await locking.rollback().execute()
    throw error
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true })
}
