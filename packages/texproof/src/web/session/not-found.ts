/** The page does not exist, or must look as if it did not. `reason` is for someone who may see the repository. */
export class NotFound extends Error {
  override readonly name = 'NotFound'
  readonly reason: string | null

  constructor(reason: string | null = null) {
    super(reason ?? 'not found')
    this.reason = reason
  }
}
