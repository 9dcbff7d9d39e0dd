import { findStorageFailure } from '../base/storage-failure.ts'
import { ApiError } from './api-error.ts'
import type { ApiResponse } from './api-request.ts'

/** Where clients are sent that hit a route we do not know. */
export const generalDocumentation = 'https://docs.github.com/rest'

/** A JSON answer with headers of its own, name and value in turn. */
export function json(status: number, value: unknown, headers: readonly string[] = []): ApiResponse {
  return { status, headers, body: JSON.stringify(value) }
}

/** A JSON answer whose text is at hand. */
export function jsonText(status: number, body: string, headers: readonly string[] = []): ApiResponse {
  return { status, headers, body }
}

/** The body that every error has. */
export function errorBody(status: number, message: string, documentation = generalDocumentation): string {
  return JSON.stringify({ message, documentation_url: documentation, status: String(status) })
}

/** The one place where what was thrown becomes an answer. What is not the caller's fault tells nothing. */
export function toErrorResponse(error: unknown, documentation: string): ApiResponse {
  if (error instanceof ApiError) return apiErrorResponse(error, documentation)
  const codes = codesOf(error)
  if (codes.includes('STORE_BUSY')) {
    return { status: 503, headers: ['Retry-After', '1'], body: errorBody(503, 'Service Unavailable', documentation) }
  }
  const status = findStorageFailure(error) === null ? 500 : 507
  const message = status === 507 ? 'Insufficient Storage' : 'Server Error'
  return { status, headers: [], body: errorBody(status, message, documentation) }
}

/** Codes of an error and of all that it was caused by. */
function codesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? error.code : null, ...codesOf(error.cause)]
}

function apiErrorResponse(error: ApiError, documentation: string): ApiResponse {
  const { status, message, errors } = error
  if (errors === null) return { status, headers: [], body: errorBody(status, message, documentation) }
  return json(status, { message, errors, documentation_url: documentation, status: String(status) })
}
