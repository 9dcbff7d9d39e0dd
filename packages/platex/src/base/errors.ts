/**
 * The exceptions of this package.
 *
 * LaTeX errors are values (`CompileResult.errors`), never exceptions. An exception means that the request is invalid,
 * that no engine or service is available, or that a remote service failed. Distinguish them by `code`, which is stable,
 * not by the message. A cancelled compile rejects with the reason of its signal, like `fetch`.
 */

/** Stable codes of all exceptions. */
export type PlatexErrorCode =
  /** An option or a field has the wrong type or value. */
  | 'INVALID_INPUT'
  /** A key of `files` is not an allowed file name. */
  | 'BAD_FILENAME'
  /** The input exceeds one of `limits`. */
  | 'LIMIT'
  /** No LaTeX engine is installed on the machine that compiles. */
  | 'NO_ENGINE'
  /** The client entry point has no service URL. */
  | 'NO_SERVICE'
  /** `sandbox: 'required'`, and bubblewrap does not work. */
  | 'SANDBOX_UNAVAILABLE'
  /** The package was bundled, so the scripts of its worker threads are missing. */
  | 'WORKER_MISSING'
  /** The service is unreachable, or the connection broke. */
  | 'NETWORK'
  /** The service did not respond within `timeout` plus five seconds. */
  | 'TIMEOUT'
  /** The service is at capacity or shutting down: HTTP 503. */
  | 'BUSY'
  /** The service requires another API key: HTTP 401 or 403. */
  | 'UNAUTHORIZED'
  /** The service rejected the request: any other HTTP 4xx. */
  | 'REJECTED'
  /** The service failed: any other HTTP 5xx. */
  | 'SERVICE_ERROR'
  /** The response is not a compile result. */
  | 'BAD_RESPONSE'

export interface PlatexErrorOptions {
  readonly code: PlatexErrorCode
  /** True if the same call may succeed later. @default false */
  readonly retryable?: boolean
  readonly cause?: unknown
}

/** Base class of all exceptions of this package. */
export class PlatexError extends Error {
  override readonly name: string = 'PlatexError'
  readonly code: PlatexErrorCode
  /** True if the same call may succeed later. */
  readonly retryable: boolean

  constructor(message: string, options: PlatexErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.retryable = options.retryable ?? false
  }
}

/** The request is invalid: nothing was compiled, and the same input will always be rejected. */
export class CompileInputError extends PlatexError {
  override readonly name = 'CompileInputError'
  declare readonly code: 'INVALID_INPUT' | 'BAD_FILENAME' | 'LIMIT'
  /** The invalid option or field: `timeout`, `files["../x.tex"]`. */
  readonly path: string

  constructor(
    message: string,
    options: { readonly code: 'INVALID_INPUT' | 'BAD_FILENAME' | 'LIMIT'; readonly path: string },
  ) {
    super(message, { code: options.code })
    this.path = options.path
  }
}

export interface RemoteCompileErrorOptions extends PlatexErrorOptions {
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  /** The beginning of the answer's body, at most 500 characters; null when there was none. */
  readonly bodyExcerpt?: string | null
  /** `Retry-After` in milliseconds; null if it was absent. */
  readonly retryAfterMs?: number | null
}

/**
 * A remote compile returned no result: the service is unreachable, rejected the request, failed or sent an invalid
 * response.
 */
export class RemoteCompileError extends PlatexError {
  override readonly name = 'RemoteCompileError'
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null
  /** The beginning of the answer's body, at most 500 characters; null when there was none. */
  readonly bodyExcerpt: string | null
  /** `Retry-After` in milliseconds; null if it was absent. */
  readonly retryAfterMs: number | null

  constructor(message: string, options: RemoteCompileErrorOptions) {
    super(message, options)
    this.status = options.status
    this.bodyExcerpt = options.bodyExcerpt ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
