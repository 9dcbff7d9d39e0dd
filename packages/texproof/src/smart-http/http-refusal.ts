/** Ends an exchange before git has responded: a status and a message for the user. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  /** Seconds until the client may retry; null = unknown. */
  readonly retryAfterS: number | null

  constructor(
    status: number,
    message: string,
    options: { readonly cause?: unknown; readonly retryAfterS?: number } = {},
  ) {
    super(message, options)
    this.status = status
    this.retryAfterS = options.retryAfterS ?? null
  }
}
