/**
 * Kysely on the SQLite of Node.js.
 *
 * Two connections to one file: one for reads, which never wait, because WAL gives each of them a snapshot; the other
 * for writes and transactions, one after another. A pool would have no advantage, because the engine is synchronous. A
 * transaction begins with BEGIN IMMEDIATE, so that it waits for the lock at its start and cannot fail for it later.
 */
import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  Kysely,
  QueryResult,
  SelectModifierNode,
} from 'kysely'

import { createLimiter, type Limiter } from '../../base/limiter.ts'
import type { SqliteHandle, StatementOutcome } from './sqlite-handle.ts'
import type { WriteAheadLog } from './write-ahead-log.ts'

/** The two connections of one file. */
export interface SqliteHandles {
  readonly reader: SqliteHandle
  readonly writer: SqliteHandle
  /** Admits one writer at a time. */
  readonly writers?: Limiter
  /** Called after each write and transaction. @default SQLite flushes each commit itself */
  readonly settle?: WriteAheadLog['settle']
}

/** Creates the dialect for one open file. */
export function sqliteDialect(handles: SqliteHandles): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(handles),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new LocklessQueryCompiler(),
  }
}

/** Kysely's adapter assumes one connection, and does not use DDL in transactions, which SQLite supports. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }

  /** Otherwise Kysely runs one query at a time, and every read waits for writes, which wait for other processes. */
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Omits row locks: a transaction has the only connection that writes. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === undefined || node.modifier === 'Distinct') super.visitSelectModifier(node)
  }
}

class SqliteDriver implements Driver {
  readonly #handles: SqliteHandles
  readonly #writers: Limiter

  constructor(handles: SqliteHandles) {
    this.#handles = handles
    this.#writers = handles.writers ?? createLimiter({ atOnce: 1 })
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
  /** Set during a transaction of this connection: releases the writer. */
  #releaseWriter: (() => void) | null = null
  /** The count of changes before the transaction. */
  #earlierChanges = 0

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
    this.#earlierChanges = this.#handles.writer.changeCount()
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    // A failed flush is followed by a rollback too, but the writer may be in the transaction of another connection.
    if (this.#releaseWriter === null) return
    const { writer } = this.#handles
    const isChanged = how === 'commit' && writer.changeCount() !== this.#earlierChanges
    try {
      writer.run(how, [])
    } catch (error) {
      // A failed commit is followed by a rollback, which releases the writer.
      if (how === 'commit') throw error
    }
    this.#releaseWriter()
    this.#releaseWriter = null
    // Other writes continue meanwhile, and share the next flush.
    if (how === 'commit') await this.#handles.settle?.(isChanged)
  }

  async #run(query: CompiledQuery): Promise<StatementOutcome> {
    const { reader, writer } = this.#handles
    if (this.#releaseWriter !== null) return writer.run(query.sql, query.parameters)
    if (SelectQueryNode.is(query.query)) return reader.runPatiently(query.sql, query.parameters)
    const release = await this.#writers.enter('')
    const earlierChanges = writer.changeCount()
    const outcome = await writer.runPatiently(query.sql, query.parameters).finally(release)
    await this.#handles.settle?.(writer.changeCount() !== earlierChanges)
    return outcome
  }
}

function toQueryResult<R>(outcome: StatementOutcome): QueryResult<R> {
  return {
    rows: outcome.rows as R[],
    numAffectedRows: BigInt(outcome.changes),
    insertId: BigInt(outcome.lastInsertRowid),
  }
}
