/* Errors thrown by pages; `answerError` renders a page for each. */

/**
 * The page does not exist, or is hidden. `reason` is for users who may see the repository. `title` is set if the address is
 * right, but leads nowhere in the state of the repository.
 */
export class NotFound extends Error {
  override readonly name = 'NotFound'
  readonly reason: string | null
  readonly title: string | null

  constructor(reason: string | null = null, { title = null }: { readonly title?: string | null } = {}) {
    super(reason ?? 'not found')
    this.reason = reason
    this.title = title
  }
}

/** The page requires a session; the response is the sign-in page, which returns to it. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/** The token sent is unknown or expired: reported on every page, even on public ones. */
export class BadCredential extends Error {
  override readonly name = 'BadCredential'
}

/** A form that was not sent from a page of this host, or whose page is too old. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm'
  /** Whether the browser confirms that the form is from this host; then only its token is too old. */
  readonly isOwn: boolean

  constructor({ isOwn = false }: { readonly isOwn?: boolean } = {}) {
    super('foreign form')
    this.isOwn = isOwn
  }
}

/** A form that exceeds a limit, such as `2 MB`. */
export class FormTooLarge extends Error {
  override readonly name = 'FormTooLarge'
  readonly limit: string

  constructor(limit: string) {
    super('form too large')
    this.limit = limit
  }
}

/** The client exceeded a rate limit or a concurrency limit. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly retryAfterS: number

  constructor(retryAfterS: number) {
    super('too many requests')
    this.retryAfterS = retryAfterS
  }
}
