/**
 * Copies a SQLite database to another file. `VACUUM INTO` does the same in one statement, which nothing can interrupt, so that
 * a backup of a large host could not be stopped. This copies some rows at a time.
 *
 * Rows are copied and not pages, because the free pages of a database contain deleted data, which must not be part of a backup.
 */
import { rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { createDatabaseFile } from './create-database-file.ts'
import { fullOf } from './store-errors.ts'

/** A row of a build can have a megabyte. */
const ROWS_AT_ONCE = 200
/** Before the first row. */
const LEAST_ROWID = -(2n ** 63n)
/** How long a lock of another process is waited for. */
const PATIENCE_MS = 5_000

/**
 * Copies the current state to a file that does not exist yet.
 *
 * @throws StoreFull; the reason of `signal` when it aborts; the file is then removed, as after any other error.
 */
export async function snapshotSqlite(
  path: string,
  target: string,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  createDatabaseFile(target)
  const database = new DatabaseSync(target, { timeout: PATIENCE_MS, enableForeignKeyConstraints: false })
  try {
    // A copy that was cut off is removed, so nothing is rolled back.
    database.exec('pragma journal_mode = memory')
    database.prepare('attach ? as source').run(path)
    // Its first read fixes the state that is copied.
    database.exec('begin')
    for (const step of copySteps(database)) {
      step()
      await nextTurn()
      signal?.throwIfAborted()
    }
    database.exec('commit')
    database.close()
  } catch (error) {
    database.close()
    await rm(target, { force: true })
    throw fullOf(error) ?? error
  }
}

/** Short steps of the copy, in order. */
function* copySteps(database: DatabaseSync): Iterable<() => void> {
  const version = Number(database.prepare('pragma source.user_version').get()?.['user_version'])
  yield () => database.exec(`pragma main.user_version = ${version}`)
  const tables = listSchema(database, 'table')
  for (const { sql } of tables) yield () => database.exec(sql)
  for (const { name } of tables) yield* copyRows(database, quote(name))
  yield () => copyLastIds(database)
  // Faster than with the rows, and in the order of the index.
  for (const { sql } of listSchema(database, 'index')) yield () => database.exec(sql)
}

function listSchema(database: DatabaseSync, type: 'table' | 'index'): readonly { name: string; sql: string }[] {
  // Excludes those that SQLite creates itself.
  return database
    .prepare(`select name, sql from source.sqlite_schema where type = ? and name not like 'sqlite!_%' escape '!'`)
    .all(type)
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
}

function* copyRows(database: DatabaseSync, table: string): Iterable<() => void> {
  const findLast = database.prepare(
    `select max(rowid) as last from (select rowid from source.${table} where rowid > ? order by rowid limit ${ROWS_AT_ONCE})`,
  )
  const copy = database.prepare(
    `insert into main.${table} select * from source.${table} where rowid > ? and rowid <= ? order by rowid`,
  )
  let last: number | bigint = LEAST_ROWID
  for (;;) {
    const found: unknown = findLast.get(last)?.['last'] ?? null
    if (found === null) return
    const after: number | bigint = last
    const until = Number(found)
    yield () => copy.run(after, until)
    last = until
  }
}

/** Copies the last ids of tables whose ids are never used again. */
function copyLastIds(database: DatabaseSync): void {
  if (database.prepare(`select 1 from source.sqlite_schema where name = 'sqlite_sequence'`).get() === undefined) return
  database.exec('delete from main.sqlite_sequence')
  database.exec('insert into main.sqlite_sequence select * from source.sqlite_sequence')
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
