/** A backup cannot be created, read or restored: `message` says what and where, `remedy` what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code = 'BACKUP'
  readonly remedy: string | null

  constructor(message: string, options: { readonly remedy?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.remedy = options.remedy ?? null
  }
}
