/** A problem with one field of the body. */
export interface FieldError {
  readonly resource: 'Repository'
  readonly field: string
  readonly code: 'missing_field' | 'invalid' | 'custom'
  /** Message, only with `custom`. */
  readonly message?: string
}

/** An error of the caller. `toErrorResponse` turns it into a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Set on 422 only. */
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

/** 401: the credential sent is invalid. */
export function badCredentials(): ApiError {
  return new ApiError(401, 'Bad credentials')
}

/** 401: a credential is required and none was sent. */
export function authenticationRequired(): ApiError {
  return new ApiError(401, 'Requires authentication')
}

/** 403: the token lacks a scope. */
export function scopeMissing(): ApiError {
  return new ApiError(403, 'Resource not accessible by personal access token')
}

/** 404: the route or the resource does not exist, or is hidden from the caller. */
export function notFound(): ApiError {
  return new ApiError(404, 'Not Found')
}

/** 413: the body is over 1 MiB. */
export function bodyTooLarge(): ApiError {
  return new ApiError(413, 'Payload Too Large')
}

/** 422: these fields are invalid. */
export function unprocessable(message: string, errors: readonly FieldError[]): ApiError {
  return new ApiError(422, message, errors)
}
