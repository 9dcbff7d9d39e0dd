/* What a page throws instead of answering; `answerError` makes a page of each. */

/** The page does not exist, or must look as if it did not. `reason` is for someone who may see the repository. */
export class NotFound extends Error {
  override readonly name = 'NotFound'
  readonly reason: string | null

  constructor(reason: string | null = null) {
    super(reason ?? 'not found')
    this.reason = reason
  }
}

/** The page needs somebody signed in: the answer to everybody else is the sign-in page, which leads back. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/** A token was sent and it is unknown or expired: said on every page, also where none is needed. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential'
}

/** A form that did not come from a page of this host, or whose page is too old. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm'
  /** Whether the browser says that it comes from a page of this host: then only its token is too old. */
  readonly isOwn: boolean

  constructor({ isOwn = false }: { readonly isOwn?: boolean } = {}) {
    super('foreign form')
    this.isOwn = isOwn
  }
}

/** A form with more bytes than it may have. */
export class FormTooLarge extends Error {
  override readonly name = 'FormTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super('form too large')
    this.maxBytes = maxBytes
  }
}

/** A client has asked too often, or for too much at a time. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly retryAfterS: number

  constructor(retryAfterS: number) {
    super('too many requests')
    this.retryAfterS = retryAfterS
  }
}
