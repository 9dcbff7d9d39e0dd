/**
 * Connections to PostgreSQL.
 *
 * A statement that certainly had no effect is repeated: after a lost connection, a read or the start of a transaction;
 * after a collision, any statement outside a transaction. Everything else fails with an error of the store, and the
 * caller decides.
 */
import { accessSync, constants } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { Pool, types } from 'pg'
import type { ClientConfig, PoolClient } from 'pg'

import { StoreConflict, StoreRefused, StoreUnavailable } from '../sqlite/store-errors.ts'
import { pauseAfter } from '../transact.ts'
import { toStoreError } from './postgres-errors.ts'

/** Hooks called for statements. */
export interface PoolHooks {
  /** Called after a commit, and after a failure that may have been one. */
  readonly onWrite: () => void
  /** Called for every statement; an error that it throws is the result of the statement. */
  readonly beforeStatement?: ((sql: string) => void) | undefined
}

/** Connections of one instance. PostgreSQL allows 100 by default. */
const MAX_CONNECTIONS = 10
const connectTimeoutMs = 5_000
/** How long a statement waits for a server that is restarting. */
const patienceMs = 1_000
const pauseMs = 50
const MAX_ATTEMPTS = 8

/**
 * Longer than `statement_timeout`, which the server applies. If its machine vanishes, nothing closes the connection: without
 * this limit, a statement waits until the kernel gives up, after 15 minutes.
 */
const QUERY_TIMEOUT_MS = 65_000

const durable = '-c synchronous_commit=on'
/** A lock or a statement that takes longer fails, and an abandoned transaction is rolled back. */
const timeLimits = '-c lock_timeout=5000 -c statement_timeout=60000 -c idle_in_transaction_session_timeout=60000'

/** Connection options. Migrations and copies may take long. */
export function clientConfig(
  url: string,
  { isLimited, queryTimeoutMs = QUERY_TIMEOUT_MS }: { readonly isLimited: boolean; readonly queryTimeoutMs?: number },
): ClientConfig {
  requireCertificates(url)
  return {
    ...(isLimited ? { query_timeout: queryTimeoutMs } : {}),
    connectionString: withExactMode(url),
    application_name: 'texproof',
    options: isLimited ? `${durable} ${timeLimits}` : durable,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: { getTypeParser: typeParser },
  }
}

/**
 * The client library reads these files for each connection; its error is the same as for a missing socket.
 *
 * @throws StoreRefused.
 */
function requireCertificates(url: string): void {
  const parameters = new URLSearchParams(url.split('?')[1])
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = parameters.get(name)
    if (file === null) continue
    try {
      accessSync(file, constants.R_OK)
    } catch (cause) {
      const reason = `${name} names ${file}, which cannot be read`
      throw new StoreRefused(reason, {
        cause,
        remedy: 'Correct the path in TEXPROOF_DATABASE_URL, or make the file readable.',
      })
    }
  }
}

/** The client library verifies certificates in these modes too, and prints a warning that names `verify-full`. */
function withExactMode(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url
  return url.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full')
}

/** Opens a pool; the first connection is made by the first statement. */
export function openPostgresPool(
  url: string,
  {
    isLimited = true,
    queryTimeoutMs = QUERY_TIMEOUT_MS,
    ...hooks
  }: PoolHooks & { readonly isLimited?: boolean; readonly queryTimeoutMs?: number },
): PostgresPool {
  const pool = new Pool({ ...clientConfig(url, { isLimited, queryTimeoutMs }), max: MAX_CONNECTIONS })
  // The server closed a connection: its statement fails, or the pool removes it. Without a listener, the process ends.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: {},
    connect: async () => openSession(pool, await connect(pool), hooks),
    end: () => pool.end(),
  }
}

/** @throws StoreUnavailable. */
async function connect(pool: Pool): Promise<PoolClient> {
  const givenUpAt = performance.now() + patienceMs
  for (;;) {
    try {
      return await pool.connect()
    } catch (error) {
      const failure = toStoreError(error)
      if (!(failure instanceof StoreUnavailable) || performance.now() > givenUpAt) throw failure
    }
    await sleep(pauseMs)
  }
}

function openSession(pool: Pool, first: PoolClient, { onWrite, beforeStatement }: PoolHooks): PostgresPoolClient {
  let client: PoolClient | null = first
  let isInTransaction = false
  /** Why the connection was lost in a transaction: a rollback would wait for the same answer. */
  let lost: StoreUnavailable | null = null
  let hasWritten = false

  const note = (kind: StatementKind): void => {
    if (kind === 'write') hasWritten = true
    if (kind === 'begin') isInTransaction = true
    if (kind === 'end') isInTransaction = false
    if (isInTransaction || !hasWritten) return
    hasWritten = false
    onWrite()
  }
  const run = async (sql: string, parameters: readonly unknown[], kind: StatementKind) => {
    for (let attempt = 1; ; attempt += 1) {
      if (lost !== null) throw lost
      try {
        client ??= await connect(pool)
        return await client.query(sql, parameters.map(toPostgres))
      } catch (error) {
        const failure = toStoreError(error)
        if (failure instanceof StoreUnavailable) {
          if (isInTransaction) lost = failure
          client?.release(true)
          client = null
        }
        const isRepeatable =
          failure instanceof StoreConflict ||
          (failure instanceof StoreUnavailable && attempt === 1 && (kind === 'read' || kind === 'begin'))
        if (isInTransaction || attempt === MAX_ATTEMPTS || !isRepeatable) throw failure
      }
      await pauseAfter(attempt)
    }
  }

  return {
    async query<Row>(sql: unknown, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<Row>> {
      if (typeof sql !== 'string') throw new TypeError('cursors are not supported')
      beforeStatement?.(sql)
      const kind = kindOf(sql)
      try {
        // Even before the statement ends: a failed write may have happened.
        return (await run(sql, parameters, kind)) as unknown as PostgresQueryResult<Row>
      } finally {
        note(kind)
      }
    },
    release(isDiscarded) {
      client?.release(isDiscarded === true || isInTransaction)
      client = null
    },
  } as PostgresPoolClient
}

type StatementKind = 'read' | 'write' | 'begin' | 'end'

function kindOf(sql: string): StatementKind {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase()
  if (word === 'select') return 'read'
  if (word === 'begin' || word === 'start') return 'begin'
  return word === 'commit' || word === 'rollback' ? 'end' : 'write'
}

/** Flags are 0 and 1, as in SQLite. PostgreSQL cannot store U+0000, which no name contains: such a look-up finds nothing. */
function toPostgres(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' ? withoutNul(value) : value
}

/** Replaces U+0000 by U+FFFD. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

/** Counts are `int8`, sums of `int8` are `numeric`. */
function typeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  const isInteger = oid === types.builtins.INT8 || oid === types.builtins.NUMERIC
  return isInteger ? toSafeInteger : (types.getTypeParser(oid, format as 'text') as (text: string) => unknown)
}

function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the integers of JavaScript`)
  return value
}
