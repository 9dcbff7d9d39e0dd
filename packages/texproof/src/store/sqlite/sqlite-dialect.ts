/**
 * Kysely on the SQLite that Node carries.
 *
 * Two connections to one file: reads go to one and never wait, since WAL gives each of them a whole snapshot;
 * writes and transactions go to the other, one after another. A pool would gain nothing: the engine is synchronous.
 * A transaction begins with BEGIN IMMEDIATE, so that it waits at its first line and cannot fail half-way for a lock.
 */
import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from 'kysely'

import { createLimiter, type Limiter } from '../../base/limiter.ts'
import type { SqliteHandle, StatementOutcome } from './sqlite-handle.ts'

/** The two connections of one file. */
export interface SqliteHandles {
  readonly reader: SqliteHandle
  readonly writer: SqliteHandle
}

/** The dialect for one open file. */
export function sqliteDialect(handles: SqliteHandles): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(handles),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite changes tables inside transactions very well; Kysely's own adapter does not use that. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #handles: SqliteHandles
  readonly #writers = createLimiter({ atOnce: 1 })

  constructor(handles: SqliteHandles) {
    this.#handles = handles
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#handles, this.#writers)
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin()
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.end('commit')
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return connection.end('rollback')
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#handles.reader.close()
    this.#handles.writer.close()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #handles: SqliteHandles
  readonly #writers: Limiter
  /** Set while a transaction of this connection is open: gives the writer to the next one. */
  #releaseWriter: (() => void) | null = null

  constructor(handles: SqliteHandles, writers: Limiter) {
    this.#handles = handles
    this.#writers = writers
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return toQueryResult<R>(await this.#run(query))
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  async begin(): Promise<void> {
    const release = await this.#writers.enter('')
    try {
      await this.#handles.writer.runPatiently('begin immediate', [])
    } catch (error) {
      release()
      throw error
    }
    this.#releaseWriter = release
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    try {
      this.#handles.writer.run(how, [])
    } catch (error) {
      // A failed commit is followed by a rollback, which is the one to hand the writer on.
      if (how === 'commit') throw error
    }
    this.#releaseWriter?.()
    this.#releaseWriter = null
  }

  async #run(query: CompiledQuery): Promise<StatementOutcome> {
    const { reader, writer } = this.#handles
    if (this.#releaseWriter !== null) return writer.run(query.sql, query.parameters)
    if (SelectQueryNode.is(query.query)) return reader.runPatiently(query.sql, query.parameters)
    const release = await this.#writers.enter('')
    try {
      return await writer.runPatiently(query.sql, query.parameters)
    } finally {
      release()
    }
  }
}

function toQueryResult<R>(outcome: StatementOutcome): QueryResult<R> {
  return {
    rows: outcome.rows as R[],
    numAffectedRows: BigInt(outcome.changes),
    insertId: BigInt(outcome.lastInsertRowid),
  }
}
