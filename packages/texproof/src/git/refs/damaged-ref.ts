/**
 * The file of a ref contains neither a commit id nor a symbolic ref. git ignores such a file; here it is never treated
 * as a missing ref.
 */
export class DamagedRefError extends Error {
  override readonly name = 'DamagedRefError'
  readonly code = 'REF_DAMAGED'
  /** Path of the file. */
  readonly path: string
  readonly remedy = 'Write the commit id into the file, or restore the repository from a backup.'

  constructor(path: string) {
    super(`the file of a ref is damaged: ${path}`)
    this.path = path
  }
}
