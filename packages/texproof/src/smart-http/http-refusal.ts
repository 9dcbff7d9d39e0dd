/** Ends an exchange before git has said anything: a status and a sentence for the person at the client. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal'
  readonly status: number

  constructor(status: number, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options)
    this.status = status
  }
}
