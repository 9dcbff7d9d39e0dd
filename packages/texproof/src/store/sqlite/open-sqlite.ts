import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { Kysely } from 'kysely'

import { whenAbsent } from '../../base/absent.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { OpenDatabase, OpenDatabaseOptions } from '../open-database.ts'
import type { Schema } from '../schema.ts'
import { databaseVersion } from './database-version.ts'
import { migrate } from './migrate.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { snapshotSqlite } from './snapshot-sqlite.ts'
import { SqliteHandle } from './sqlite-handle.ts'
import { openWriteAheadLog } from './write-ahead-log.ts'

/**
 * Opens the SQLite file of a data directory, and creates or migrates it if necessary.
 *
 * @throws NewerSchema; SchemaInUse; StoreDamaged.
 */
export async function openSqlite(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const path = join(options.dataDir, 'texproof.db')
  // A server that is stopped leaves no log.
  const isLeft = ((await stat(`${path}-wal`).catch(whenAbsent(null)))?.size ?? 0) > 0
  const { reader, writer } = openHandles(path, options)
  const writers = createLimiter({ atOnce: 1 })
  // A command has no other requests that a flush could delay.
  const { isServer, onCheckpointsFail } = options
  const log =
    isServer && writer.leaveFlushing()
      ? openWriteAheadLog({ databasePath: path, writers, isLeft, onCheckpointsFail })
      : null
  const handles = log === null ? { reader, writer, writers } : { reader, writer, writers, settle: log.settle }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(handles) })
  const close = async (): Promise<void> => {
    await log?.close()
    if (log?.hasFailed) return
    await db.destroy()
    // Kysely opens its driver at the first query, and does not close one that was never opened.
    reader.close()
    writer.close()
  }
  try {
    await migrate(db, options)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    version: databaseVersion({ reader, writer }),
    describe: async () => `SQLite ${process.versions['sqlite'] ?? ''}`.trimEnd(),
    snapshot: (target, { signal } = {}) => snapshotSqlite(path, target, { signal }),
    // The lock of the data directory admits one server.
    instanceId: null,
    onOthersChange: () => () => {},
    runExclusively: (_name, run) => run(),
    close,
  }
}

function openHandles(
  path: string,
  options: OpenDatabaseOptions,
): { readonly reader: SqliteHandle; readonly writer: SqliteHandle } {
  const writer = new SqliteHandle(path, options)
  try {
    return { writer, reader: new SqliteHandle(path, options) }
  } catch (error) {
    writer.close()
    throw error
  }
}
