/** The disk under the database is full. Nothing of the statement was kept. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull'
  readonly code = 'STORE_FULL'

  constructor(options: { cause: unknown }) {
    super('no space left for the database', options)
  }
}
