/**
 * What this package throws.
 *
 * LaTeX that does not compile is a value (`CompileResult.errors`), never a throw. A throw means that the request was
 * broken, that there is nothing to compile with, or that a remote service did not do its part. Tell them apart by
 * `code`, which never changes, not by the message, which may. A cancelled compile rejects with its signal's reason,
 * as `fetch` does, so none of these.
 */

/** Stable names of everything that can be thrown. */
export type PlatexErrorCode =
  /** An option or a field has the wrong type or value. */
  | 'INVALID_INPUT'
  /** A key of `files` cannot be a file of the job. */
  | 'BAD_FILENAME'
  /** The input is larger than `limits` allows. */
  | 'LIMIT'
  /** No LaTeX engine is installed where the compile should run. */
  | 'NO_ENGINE'
  /** The client entry was asked to compile and knows no service. */
  | 'NO_SERVICE'
  /** `sandbox: 'required'` and no working bubblewrap. */
  | 'SANDBOX_UNAVAILABLE'
  /** The package was bundled: the files from which it starts threads are missing. */
  | 'WORKER_MISSING'
  /** The service could not be reached, or the connection broke. */
  | 'NETWORK'
  /** The service did not answer within `timeout` and five seconds of grace. */
  | 'TIMEOUT'
  /** The service is at capacity or shutting down: HTTP 503. */
  | 'BUSY'
  /** The service requires another API key: HTTP 401 or 403. */
  | 'UNAUTHORIZED'
  /** The service refused the request: any other HTTP 4xx. */
  | 'REJECTED'
  /** The service failed: any other HTTP 5xx. */
  | 'SERVICE_ERROR'
  /** The service answered something that is no compile response. */
  | 'BAD_RESPONSE'

export interface PlatexErrorOptions {
  readonly code: PlatexErrorCode
  /** True when the same call may succeed later without a change. @default false */
  readonly retryable?: boolean
  readonly cause?: unknown
}

/** Base of every error of this package. */
export class PlatexError extends Error {
  override readonly name: string = 'PlatexError'
  readonly code: PlatexErrorCode
  /** True when the same call may succeed later without a change. */
  readonly retryable: boolean

  constructor(message: string, options: PlatexErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = options.code
    this.retryable = options.retryable ?? false
  }
}

/** The request itself is wrong: nothing was compiled, and the same input will always be refused. */
export class CompileInputError extends PlatexError {
  override readonly name = 'CompileInputError'
  declare readonly code: 'INVALID_INPUT' | 'BAD_FILENAME' | 'LIMIT'
  /** The option or field at fault: `timeout`, `files["../x.tex"]`. */
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

/** A remote compile brought no result: unreachable, refused, failed or not understood. */
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
