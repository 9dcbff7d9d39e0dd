const remedyOfLooseRef = 'Write the commit id into the file, or restore the repository from a backup.'
export const remedyOfPackedRefs = 'Restore the repository from a backup, or replace the damaged lines of the file.'

/**
 * The file of a ref contains neither a commit id nor a symbolic ref, or `packed-refs` has a line that is not a ref. git ignores
 * the first file and refuses the second; here neither is treated as a missing ref.
 */
export class DamagedRefError extends Error {
  override readonly name = 'DamagedRefError'
  readonly code = 'REF_DAMAGED'
  /** Path of the file. */
  readonly path: string
  readonly remedy: string

  constructor(path: string, remedy = remedyOfLooseRef) {
    super(`the file of a ref is damaged: ${path}`)
    this.path = path
    this.remedy = remedy
  }
}
