import { chmodSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'

import { createDatabaseFile } from './create-database-file.ts'
import {
  fullOf,
  isSqliteDamage,
  sqliteCodeOf,
  StoreBusy,
  StoreDamaged,
  StoreReadOnly,
  UniqueViolation,
} from './store-errors.ts'

/** The result of one statement. */
export interface StatementOutcome {
  readonly rows: Record<string, unknown>[]
  readonly changes: number | bigint
  readonly lastInsertRowid: number | bigint
}

const sqliteBusy = 5
const sqliteConstraintPrimaryKey = 1555
const sqliteConstraintUnique = 2067

/** How long SQLite itself may wait for a lock. It blocks the event loop, so longer waits are asynchronous. */
const blockingWaitMs = 20
const patienceMs = 5_000
const pauseMs = 10

/**
 * One connection to a SQLite file. Statements are prepared once and cached by their text, and waiting for a locked file
 * does not block the event loop.
 */
export class SqliteHandle {
  readonly #database: DatabaseSync
  readonly #statements = new LRUCache<string, StatementSync>({ max: 500 })

  readonly #beforeStatement: ((sql: string) => void) | null

  #runCount = 0

  /** `beforeStatement` is called for every statement; an error that it throws is the result of the statement. */
  constructor(path: string, { beforeStatement = null }: { beforeStatement?: ((sql: string) => void) | null } = {}) {
    this.#beforeStatement = beforeStatement
    closeToOthers(path)
    this.#database = new DatabaseSync(path, { timeout: patienceMs })
    try {
      switchToWal(this.#database)
      this.#database.exec(
        `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = ${blockingWaitMs};`,
      )
      // SQLite's own function changes only ASCII letters.
      this.#database.function('lower', { deterministic: true }, lowerCase)
    } catch (error) {
      this.#database.close()
      if (isSqliteDamage(error)) throw new StoreDamaged(path, { cause: error })
      throw fullOf(error) ?? error
    }
  }

  /**
   * Runs one statement immediately.
   *
   * @throws UniqueViolation when a row exists already; StoreFull when the disk is full.
   */
  run(sql: string, parameters: readonly unknown[]): StatementOutcome {
    this.#runCount += 1
    this.#beforeStatement?.(sql)
    const statement = this.#prepare(sql)
    const values = parameters.map(toSqlite)
    try {
      if (statement.columns().length > 0) {
        return { rows: statement.all(...values), changes: 0, lastInsertRowid: 0 }
      }
      return { rows: [], ...statement.run(...values) }
    } catch (error) {
      if (isReadOnly(error)) throw new StoreReadOnly({ cause: error })
      throw fullOf(error) ?? uniqueViolationOf(error) ?? error
    }
  }

  /**
   * Runs one statement, with retries while another process holds the lock.
   *
   * @throws StoreBusy after five seconds; UniqueViolation.
   */
  async runPatiently(sql: string, parameters: readonly unknown[]): Promise<StatementOutcome> {
    const givenUpAt = Date.now() + patienceMs
    for (;;) {
      try {
        return this.run(sql, parameters)
      } catch (error) {
        if (!isBusy(error)) throw error
        if (Date.now() >= givenUpAt) throw new StoreBusy({ cause: error })
      }
      await sleep(pauseMs)
    }
  }

  /** Makes commits only write, for a caller that flushes them. False if the file has no write-ahead log. */
  leaveFlushing(): boolean {
    const mode = this.#database.prepare('PRAGMA journal_mode').get()?.['journal_mode']
    if (mode !== 'wal') return false
    this.#database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0')
    return true
  }

  /** Number of rows changed so far, to detect whether a transaction has changed any. */
  changeCount(): number {
    return Number(this.#prepare('SELECT total_changes() AS count').get()?.['count'])
  }

  /** Number of statements run so far, to detect new ones. */
  get runCount(): number {
    return this.#runCount
  }

  /** A number that changes whenever any other connection, of this process or another, commits. */
  dataVersion(): number {
    return Number(this.#prepare('PRAGMA data_version').get()?.['data_version'])
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function lowerCase(value: SQLOutputValue): SQLOutputValue {
  return typeof value === 'string' ? value.toLowerCase() : value
}

/** SQLite has no booleans; the schema stores them as 0 and 1. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  return value as SQLInputValue
}

function isBusy(error: unknown): boolean {
  // The low byte is the primary code, the rest distinguishes kinds of locks.
  const code = sqliteCodeOf(error)
  return code !== null && (code & 0xff) === sqliteBusy
}

function uniqueViolationOf(error: unknown): UniqueViolation | null {
  const code = sqliteCodeOf(error)
  if (code !== sqliteConstraintUnique && code !== sqliteConstraintPrimaryKey) return null
  // `UNIQUE constraint failed: repository.owner_id, repository.name_key`
  const list = error instanceof Error ? error.message.slice(error.message.indexOf(':') + 1) : ''
  const columns = list.split(',').map((column) => column.trim().replace(/^.*\./, ''))
  return new UniqueViolation(columns, { cause: error })
}

/** `SQLITE_READONLY`, including extended codes. */
function isReadOnly(error: unknown): boolean {
  return ((sqliteCodeOf(error) ?? 0) & 0xff) === 8
}

/**
 * The first process to open a new file switches it to write-ahead logging, which requires exclusive access for a
 * moment. SQLite may refuse a concurrent process immediately, regardless of its timeout, so the retries are here.
 */
function switchToWal(database: DatabaseSync): void {
  const givenUpAt = Date.now() + patienceMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (sqliteCodeOf(error) !== sqliteBusy || Date.now() > givenUpAt) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
    }
  }
}

/**
 * Creates the file with access for its owner only; SQLite gives the write-ahead log and its index the mode of the
 * database.
 */
function closeToOthers(path: string): void {
  createDatabaseFile(path)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & 0o077) !== 0) chmodSync(file, 0o600)
  }
}
