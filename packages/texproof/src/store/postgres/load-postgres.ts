import { Kysely, sql } from 'kysely'

import type { Schema } from '../schema.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { SqliteHandle } from '../sqlite/sqlite-handle.ts'
import { copyTables, digestTables, type TableContent } from './copy-tables.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { openPostgresPool } from './postgres-pool.ts'
import { postgresSide } from './postgres-side.ts'
import { listTables, sqliteSide } from './sqlite-side.ts'

/** The outcome of a copy. */
export type LoadOutcome =
  | { readonly kind: 'copied'; readonly contents: readonly TableContent[] }
  /** The target has rows already. Nothing was changed. */
  | { readonly kind: 'not-empty'; readonly table: string }

/**
 * Copies a SQLite file into a PostgreSQL database without rows, in one transaction. Both have the newest schema. Before the
 * commit, every table is read again and compared.
 *
 * @throws Error when a table differs; then nothing was changed.
 */
export async function loadPostgres(path: string, url: string): Promise<LoadOutcome> {
  const handle = new SqliteHandle(path)
  const source = new Kysely<Schema>({ dialect: sqliteDialect({ reader: handle, writer: handle }) })
  const pool = openPostgresPool(url, { isLimited: false, onWrite: () => {} })
  const target = new Kysely<Schema>({ dialect: postgresDialect(pool) })
  try {
    const tables = await listTables(source)
    return await target.transaction().execute(async (writing): Promise<LoadOutcome> => {
      const to = postgresSide(writing)
      for (const { name } of tables) {
        await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(writing)
        const { rows } = await sql`select 1 as found from ${sql.table(name)} limit 1`.execute(writing)
        if (rows.length > 0) return { kind: 'not-empty', table: name }
      }
      const contents = await copyTables(tables, { from: sqliteSide(source), to })
      requireSame(contents, await digestTables(tables, to.db))
      return { kind: 'copied', contents }
    })
  } finally {
    await source.destroy()
    await target.destroy()
    handle.close()
  }
}

/** Compares the contents of a SQLite file with those of the database that it was copied from. @throws Error. */
export async function checkCopy(path: string, contents: readonly TableContent[]): Promise<void> {
  const handle = new SqliteHandle(path)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ reader: handle, writer: handle }) })
  try {
    requireSame(contents, await digestTables(await listTables(db), sqliteSide(db).db))
  } finally {
    await db.destroy()
    handle.close()
  }
}

function requireSame(originals: readonly TableContent[], copies: readonly TableContent[]): void {
  for (const { name, rowCount, checksum } of originals) {
    const copy = copies.find((table) => table.name === name)
    if (copy?.rowCount !== rowCount || copy.checksum !== checksum)
      throw new Error(`table ${name}: ${rowCount} rows differ from their copy of ${copy?.rowCount ?? 0}`)
  }
}
