import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Kysely } from 'kysely'

import type { OpenDatabase, OpenDatabaseOptions } from '../open-database.ts'
import type { Schema } from '../schema.ts'
import { databaseVersion } from './database-version.ts'
import { migrate } from './migrate.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { SqliteHandle } from './sqlite-handle.ts'

/**
 * Opens the SQLite file of a data directory, and creates or migrates it if necessary.
 *
 * @throws NewerSchema; SchemaInUse.
 */
export async function openSqlite(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const path = join(options.dataDir, 'texproof.db')
  const writer = new SqliteHandle(path, options)
  const reader = new SqliteHandle(path, options)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ reader, writer }) })
  try {
    await migrate(db, options)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    version: databaseVersion({ reader, writer }),
    describe: async () => `SQLite ${process.versions['sqlite'] ?? ''}`.trimEnd(),
    async snapshot(target) {
      await reader.runPatiently('VACUUM INTO ?', [target])
    },
    // The lock of the data directory admits one server.
    instanceId: null,
    onOthersChange: () => () => {},
    runExclusively: (_name, run) => run(),
    async close() {
      await db.destroy()
      // Kysely opens its driver at the first query, and does not close one that was never opened.
      reader.close()
      writer.close()
    },
  }
}
