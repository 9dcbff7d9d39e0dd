import type { Kysely } from 'kysely'

import type { Schema } from './schema.ts'
import type { MigrateOptions } from './sqlite/migrate.ts'

/** Which database to open, and how. */
export interface OpenDatabaseOptions extends MigrateOptions {
  /** `postgres://…`; null = the SQLite file of the data directory. @default null */
  readonly databaseUrl?: string | null
  /** Whether a server opens it. @default false */
  readonly isServer?: boolean
  /** Called when a server cannot copy the write-ahead log of SQLite into the database for long, with reason and remedy. */
  readonly onCheckpointsFail?: (error: Error) => void
  /** Called for every statement; a test ends the process here, or throws the error with which the statement fails. */
  readonly beforeStatement?: (sql: string) => void
}

/** An open database with the current schema. */
export interface OpenDatabase {
  readonly db: Kysely<Schema>
  /** A number that changes with every commit, for the read cache. */
  version(): number
  /** Kind, version and place of the database, as text without secrets. */
  describe(): Promise<string>
  /** Copies the current database to a SQLite file that does not exist yet. When the signal aborts, it removes the file. */
  snapshot(path: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** Name of this process among the servers of the database; null = the database has one server at a time. */
  readonly instanceId: string | null
  /** Calls a function when another process has changed something, as far as notifications arrive; returns how to end that. */
  onOthersChange(listener: () => void): () => void
  /** Runs a task unless another instance is running it; null = it is. */
  runExclusively<Result>(name: ExclusiveTask, run: () => Promise<Result>): Promise<Result | null>
  close(): Promise<void>
}

/** A task that only one instance of a database runs at a time, or maintenance of one repository. */
export type ExclusiveTask = 'housekeeping' | 'cache' | 'backups' | { readonly maintenanceOf: number }
