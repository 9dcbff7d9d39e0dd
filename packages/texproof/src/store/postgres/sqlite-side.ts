import { sql, type Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import type { CopiedTable, CopySide } from './copy-tables.ts'

/** The tables of a SQLite database with the newest schema, referenced tables first. */
export async function listTables(db: Kysely<Schema>): Promise<readonly CopiedTable[]> {
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master
     where type = 'table' and name not like 'sqlite!_%' escape '!' and name not like 'kysely!_%' escape '!'
     order by name`.execute(db)
  const open = new Map<string, { readonly table: CopiedTable; readonly references: readonly string[] }>()
  for (const { name, sql: definition } of rows) {
    const { rows: columns } = await sql<{ name: string; pk: number }>`
      select name, pk from pragma_table_info(${name}) order by cid`.execute(db)
    const { rows: references } = await sql<{ table: string }>`
      select "table" from pragma_foreign_key_list(${name})`.execute(db)
    const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
    const table = {
      name,
      columns: columns.map((column) => column.name),
      key: key.map((column) => column.name),
      hasLastId: /autoincrement/i.test(definition),
    }
    open.set(name, { table, references: references.map((reference) => reference.table) })
  }
  const tables: CopiedTable[] = []
  while (open.size > 0) {
    const next = [...open.values()].find(({ references }) => !references.some((name) => open.has(name)))
    if (next === undefined) throw new Error(`tables refer to each other: ${[...open.keys()].join(', ')}`)
    open.delete(next.table.name)
    tables.push(next.table)
  }
  return tables
}

/** The SQLite side of a copy. */
export function sqliteSide(db: Kysely<Schema>): CopySide {
  return {
    db: db.withTables(),
    async readLastId(table) {
      const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db)
      return rows[0]?.seq ?? 0
    },
    async writeLastId(table, id) {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db)
    },
  }
}
