/** Another process held the database for longer than we are willing to wait. Trying again later may succeed. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy'
  readonly code = 'STORE_BUSY'

  constructor(options: { cause: unknown }) {
    super('the database is locked by another process', options)
  }
}

/** The disk under the database is full. Nothing of the statement was kept. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly code = 'STORE_FULL'

  constructor(options: { cause: unknown }) {
    super('no space left for the database', options)
  }
}

/** The database, or the disk under it, cannot be written. */
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly'
  readonly code = 'STORE_READ_ONLY'

  constructor(options: { cause: unknown }) {
    super('the database is read-only', options)
  }
}

/** A row that must be unique exists already. The database decides this, never a check before the insert. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly code = 'UNIQUE_VIOLATION'
  /** Columns of the broken constraint, `['owner_id', 'name_key']`. */
  readonly columns: readonly string[]

  constructor(columns: readonly string[], options: { cause: unknown }) {
    super(`unique constraint on ${columns.join(', ')}`, options)
    this.columns = columns
  }
}
