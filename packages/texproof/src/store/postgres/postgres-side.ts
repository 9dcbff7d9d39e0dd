import { sql, type Kysely } from 'kysely'

import type { Schema } from '../schema.ts'
import type { CopySide } from './copy-tables.ts'

/** The PostgreSQL side of a copy. */
export function postgresSide(db: Kysely<Schema>): CopySide {
  return {
    db: db.withTables(),
    async readLastId(table) {
      const { rows } = await sql<{ last: number | null }>`
        select pg_sequence_last_value(${sequenceOf(table)}) as last`.execute(db)
      return rows[0]?.last ?? 0
    },
    async writeLastId(table, id) {
      if (id > 0) await sql`select setval(${sequenceOf(table)}, ${id})`.execute(db)
    },
  }
}

function sequenceOf(table: string) {
  return sql`cast(pg_get_serial_sequence(${`"${table}"`}, 'id') as regclass)`
}
