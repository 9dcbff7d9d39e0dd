/** A backup cannot be made, read or restored: what and where in `message`, what to do in `remedy`. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code = 'BACKUP'
  readonly remedy: string | null

  constructor(message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.remedy = options.remedy ?? null
  }
}
