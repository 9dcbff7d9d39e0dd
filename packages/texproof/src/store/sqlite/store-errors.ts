/** Another process held the database for longer than the timeout. A later attempt may succeed. */
export class StoreBusy extends Error {
  override readonly name: string = 'StoreBusy'
  readonly code = 'STORE_BUSY'

  constructor(options: { cause: unknown }, message = 'the database is locked by another process') {
    super(message, options)
  }
}

const checkServer = 'Check TEXPROOF_DATABASE_URL and that the server is running.'

/** The database server cannot be reached, or ended the connection. A later attempt may succeed. */
export class StoreUnavailable extends StoreBusy {
  override readonly name = 'StoreUnavailable'
  readonly remedy: string

  constructor({ cause, remedy = checkServer }: { readonly cause: unknown; readonly remedy?: string }) {
    super({ cause }, `the database is not available: ${cause instanceof Error ? cause.message : String(cause)}`)
    this.remedy = remedy
  }
}

/**
 * The database server can be reached, but not used: a wrong password, a missing database, an unknown certificate. A later
 * attempt may succeed, because such a server is being reconfigured.
 */
export class StoreRefused extends StoreBusy {
  override readonly name = 'StoreRefused'
  readonly remedy: string

  constructor(reason: string, { cause, remedy }: { readonly cause: unknown; readonly remedy: string }) {
    super({ cause }, `cannot use PostgreSQL: ${reason}`)
    this.remedy = remedy
  }
}

/** The error, or its cause, that a later attempt may not meet; null = another error. */
export function findStoreBusy(error: unknown): StoreBusy | null {
  if (!(error instanceof Error)) return null
  return error instanceof StoreBusy ? error : findStoreBusy(error.cause)
}

/** Whether the error, or its cause, is a database server that cannot be used, and not one that is only busy. */
export function isStoreOut(error: unknown): boolean {
  const busy = findStoreBusy(error)
  return busy instanceof StoreUnavailable || busy instanceof StoreRefused
}

/** A transaction collided with another one and had no effect. It can be run again at once. */
export class StoreConflict extends StoreBusy {
  override readonly name = 'StoreConflict'

  constructor(options: { cause: unknown }) {
    super(options, 'the transaction collided with another one')
  }
}

/** The disk of the database is full. The statement had no effect. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly code = 'STORE_FULL'

  constructor(options: { cause: unknown }) {
    super('no space left for the database', options)
  }
}

const sqliteFull = 13
/** The index of the write-ahead log cannot grow: the disk was full when the database was opened. */
const sqliteFullIndex = 4874

/** An error of SQLite because of a full disk; null = another error. */
export function fullOf(error: unknown): StoreFull | null {
  const code = sqliteCodeOf(error)
  return code === sqliteFull || code === sqliteFullIndex ? new StoreFull({ cause: error }) : null
}

/** The extended result code of an error of SQLite; null = another error. */
export function sqliteCodeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

/** The database, or its disk, is read-only. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly'
  readonly code = 'STORE_READ_ONLY'

  constructor(options: { cause: unknown }) {
    super('the database is read-only', options)
  }
}

/** The file of the database is damaged, or no database at all. */
export class StoreDamaged extends Error {
  override readonly name = 'StoreDamaged'
  readonly code = 'STORE_DAMAGED'

  constructor(path: string, options: { cause: Error }) {
    super(`${path} is damaged: ${options.cause.message}. Restore a backup: texproof restore FILE --replace`, options)
  }
}

/** Whether SQLite refuses a file with `SQLITE_CORRUPT` or `SQLITE_NOTADB`. */
export function isSqliteDamage(error: unknown): error is Error {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
  return code === 11 || code === 26
}

/**
 * A row that must be unique exists already. Only the database can detect this reliably, not a check before the insert.
 */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly code = 'UNIQUE_VIOLATION'
  /** Columns of the violated constraint, `['owner_id', 'name_key']`. */
  readonly columns: readonly string[]

  constructor(columns: readonly string[], options: { cause: unknown }) {
    super(`unique constraint on ${columns.join(', ')}`, options)
    this.columns = columns
  }
}
