/** Another process held the database for longer than we are willing to wait. Trying again later may succeed. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy'
  readonly code = 'STORE_BUSY'

  constructor(options: { cause: unknown }) {
    super('the database is locked by another process', options)
  }
}
