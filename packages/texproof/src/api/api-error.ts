/** One thing that is wrong with a field of the body. */
export interface FieldError {
  readonly resource: 'Repository'
  readonly field: string
  readonly code: 'missing_field' | 'invalid' | 'custom'
  /** Only with `custom`. */
  readonly message?: string
}

/** What the caller did wrong. `toErrorResponse` is the one place that turns it into an answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Exactly on 422. */
  readonly errors: readonly FieldError[] | null

  constructor(status: number, message: string, errors: readonly FieldError[] | null = null) {
    super(message)
    this.status = status
    this.errors = errors
  }
}

/** 400: the body is not a JSON object. */
export function notAnObject(): ApiError {
  return new ApiError(400, 'Problems parsing JSON')
}

/** 401: a credential was sent and is not good. */
export function badCredentials(): ApiError {
  return new ApiError(401, 'Bad credentials')
}

/** 401: a credential is needed and none was sent. */
export function authenticationRequired(): ApiError {
  return new ApiError(401, 'Requires authentication')
}

/** 403: the token lacks a scope. */
export function scopeMissing(): ApiError {
  return new ApiError(403, 'Resource not accessible by personal access token')
}

/** 404: no such route or thing, or none that the caller may know of. */
export function notFound(): ApiError {
  return new ApiError(404, 'Not Found')
}

/** 413: the body is over 1 MiB. */
export function bodyTooLarge(): ApiError {
  return new ApiError(413, 'Payload Too Large')
}

/** 422: these fields are wrong. */
export function unprocessable(message: string, errors: readonly FieldError[]): ApiError {
  return new ApiError(422, message, errors)
}
