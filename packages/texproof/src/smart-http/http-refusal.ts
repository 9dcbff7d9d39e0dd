/** Ends an exchange before git has said anything: a status and a sentence for the person at the client. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number
  /** Seconds after which the client may try again; null = unknown. */
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
