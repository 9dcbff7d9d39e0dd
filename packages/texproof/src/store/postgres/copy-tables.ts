/** Copies all tables from SQLite to PostgreSQL or back. Both have the newest schema; the target is empty. */
import { createHash } from 'node:crypto'

import { sql, type Kysely, type RawBuilder } from 'kysely'

import { withoutNul } from './postgres-pool.ts'

/** One side of a copy. */
export interface CopySide {
  readonly db: Kysely<AnyTables>
  /** The last id that was given out; 0 = none. */
  readLastId(table: string): Promise<number>
  writeLastId(table: string, id: number): Promise<void>
}

type AnyTables = Record<string, Record<string, unknown>>

/** A table to copy. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[]
  /** Ids are generated, and never used again. */
  readonly hasLastId: boolean
}

/** Content of a table. */
export interface TableContent {
  readonly name: string
  readonly rowCount: number
  /** SHA-256 of all values in the order of the key. */
  readonly checksum: string
}

/** A diagnostics column can have a megabyte. */
const ROWS_AT_ONCE = 50

/**
 * Copies the tables in the given order, in which referenced tables come first. Returns the content of each.
 *
 * @throws the reason of `signal` when it aborts.
 */
export async function copyTables(
  tables: readonly CopiedTable[],
  { from, to, signal }: { readonly from: CopySide; readonly to: CopySide; readonly signal?: AbortSignal | undefined },
): Promise<readonly TableContent[]> {
  const contents: TableContent[] = []
  for (const table of tables) {
    contents.push(
      await digestTable(from.db, table, async (rows) => {
        signal?.throwIfAborted()
        await to.db
          .insertInto(table.name)
          .values([...rows])
          .execute()
      }),
    )
    if (table.hasLastId) await to.writeLastId(table.name, await from.readLastId(table.name))
  }
  return contents
}

/** Reads tables and returns their contents, to compare a copy with its original. */
export async function digestTables(
  tables: readonly CopiedTable[],
  db: Kysely<AnyTables>,
): Promise<readonly TableContent[]> {
  const contents: TableContent[] = []
  for (const table of tables) contents.push(await digestTable(db, table, async () => {}))
  return contents
}

async function digestTable(
  db: Kysely<AnyTables>,
  { name, columns, key }: CopiedTable,
  use: (rows: readonly Record<string, unknown>[]) => Promise<void>,
): Promise<TableContent> {
  const hash = createHash('sha256')
  const columnList = sql.join(columns.map((column) => sql.ref(column)))
  const keyList = sql.join(key.map((column) => sql.ref(column)))
  let rowCount = 0
  let last: readonly unknown[] | null = null
  for (;;) {
    const after: RawBuilder<unknown> =
      last === null ? sql`` : sql` where (${keyList}) > (${sql.join(last.map((value) => sql`${value}`))})`
    const { rows } = await sql<
      Record<string, unknown>
    >`select ${columnList} from ${sql.table(name)}${after} order by ${keyList} limit ${ROWS_AT_ONCE}`.execute(db)
    if (rows.length > 0) await use(rows)
    for (const row of rows) hash.update(`${JSON.stringify(columns.map((column) => comparable(row[column])))}\n`)
    rowCount += rows.length
    if (rows.length < ROWS_AT_ONCE) return { name, rowCount, checksum: hash.digest('hex') }
    const lastRow = rows.at(-1) ?? {}
    last = key.map((column) => lastRow[column])
  }
}

function comparable(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}
