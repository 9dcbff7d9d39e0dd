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
