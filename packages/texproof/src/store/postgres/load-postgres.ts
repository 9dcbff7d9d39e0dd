import { Kysely, sql } from 'kysely'

import type { Schema } from '../schema.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { SqliteHandle } from '../sqlite/sqlite-handle.ts'
import { copyTables, digestTables, type CopiedTable, type TableContent } from './copy-tables.ts'
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
 * commit, every table is read again and compared. A database that is such a copy already is only compared.
 *
 * `beforeCommit` is called when the file is closed; if it throws, nothing is changed.
 *
 * @throws Error when a table differs; then nothing was changed.
 */
export async function loadPostgres(
  path: string,
  url: string,
  { beforeCommit }: { readonly beforeCommit: (contents: readonly TableContent[]) => Promise<void> },
): Promise<LoadOutcome> {
  return openBoth(path, url, async (source, target) => {
    const tables = await listTables(source)
    return target.transaction().execute(async (writing): Promise<LoadOutcome> => {
      const to = postgresSide(writing)
      const filled = await lockTables(tables, writing)
      if (filled !== null) {
        const contents = await compare(tables, source, writing)
        return contents === null ? { kind: 'not-empty', table: filled } : { kind: 'copied', contents }
      }
      const contents = await copyTables(tables, { from: sqliteSide(source), to })
      const difference = findDifference(contents, await digestTables(tables, to.db))
      if (difference !== null) throw new Error(difference)
      await source.destroy() // closes the file
      await beforeCommit(contents)
      return { kind: 'copied', contents }
    })
  })
}

/** The contents of a SQLite file if a PostgreSQL database is a copy of it, else null. */
export async function findCopy(path: string, url: string): Promise<readonly TableContent[] | null> {
  return openBoth(path, url, async (source, target) => {
    const known = new Map((await target.introspection.getTables()).map(({ name, columns }) => [name, columns]))
    const tables = await listTables(source)
    const hasSameSchema = tables.every(({ name, columns }) =>
      columns.every((column) => known.get(name)?.some((other) => other.name === column)),
    )
    return hasSameSchema ? compare(tables, source, target) : null
  })
}

async function openBoth<Result>(
  path: string,
  url: string,
  use: (source: Kysely<Schema>, target: Kysely<Schema>) => Promise<Result>,
): Promise<Result> {
  const handle = new SqliteHandle(path)
  const source = new Kysely<Schema>({ dialect: sqliteDialect({ reader: handle, writer: handle }) })
  const pool = openPostgresPool(url, { isLimited: false, onWrite: () => {} })
  const target = new Kysely<Schema>({ dialect: postgresDialect(pool) })
  try {
    return await use(source, target)
  } finally {
    await source.destroy()
    handle.close()
    await target.destroy()
  }
}

/** Locks tables until the end of the transaction. Returns the first one with rows, or null. */
async function lockTables(tables: readonly CopiedTable[], writing: Kysely<Schema>): Promise<string | null> {
  let filled: string | null = null
  for (const { name } of tables) {
    await sql`lock table ${sql.table(name)} in access exclusive mode`.execute(writing)
    const { rows } = await sql`select 1 as found from ${sql.table(name)} limit 1`.execute(writing)
    if (rows.length > 0) filled ??= name
  }
  return filled
}

/** The common contents, or null if they differ. */
async function compare(
  tables: readonly CopiedTable[],
  source: Kysely<Schema>,
  target: Kysely<Schema>,
): Promise<readonly TableContent[] | null> {
  const contents = await digestTables(tables, sqliteSide(source).db)
  return findDifference(contents, await digestTables(tables, postgresSide(target).db)) === null ? contents : null
}

/** Compares the contents of a SQLite file with the database that it was copied from. @throws Error. */
export async function checkCopy(path: string, contents: readonly TableContent[]): Promise<void> {
  const difference = await compareFile(path, contents)
  if (difference !== null) throw new Error(difference)
}

/** The first difference of a SQLite file from contents that were read before, or null. */
export async function compareFile(path: string, contents: readonly TableContent[]): Promise<string | null> {
  const handle = new SqliteHandle(path)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ reader: handle, writer: handle }) })
  try {
    return findDifference(contents, await digestTables(await listTables(db), sqliteSide(db).db))
  } finally {
    await db.destroy()
    handle.close()
  }
}

function findDifference(originals: readonly TableContent[], copies: readonly TableContent[]): string | null {
  for (const { name, rowCount, checksum } of originals) {
    const copy = copies.find((table) => table.name === name)
    if (copy?.rowCount !== rowCount || copy.checksum !== checksum)
      return `table ${name}: ${rowCount} rows differ from their copy of ${copy?.rowCount ?? 0}`
  }
  return null
}
