import { findStorageFailure } from '../base/storage-failure.ts'
import { ApiError } from './api-error.ts'
import type { ApiResponse } from './api-request.ts'

/** Documentation link for unknown routes. */
export const generalDocumentation = 'https://docs.github.com/rest'

/** A JSON response with additional headers; names and values alternate. */
export function json(status: number, value: unknown, headers: readonly string[] = []): ApiResponse {
  return { status, headers, body: JSON.stringify(value) }
}

/** A response from JSON text. */
export function jsonText(status: number, body: string, headers: readonly string[] = []): ApiResponse {
  return { status, headers, body }
}

/** The body of every error. */
export function errorBody(status: number, message: string, documentation = generalDocumentation): string {
  return JSON.stringify({ message, documentation_url: documentation, status: String(status) })
}

/** Turns every error into a response. Internal errors reveal no details. */
export function toErrorResponse(error: unknown, documentation: string): ApiResponse {
  if (error instanceof ApiError) return apiErrorResponse(error, documentation)
  const codes = codesOf(error)
  if (codes.includes('STORE_BUSY') || codes.includes('PARSERS_BUSY')) {
    return { status: 503, headers: ['Retry-After', '1'], body: errorBody(503, 'Service Unavailable', documentation) }
  }
  const status = findStorageFailure(error) === null ? 500 : 507
  const message = status === 507 ? 'Insufficient Storage' : 'Server Error'
  return { status, headers: [], body: errorBody(status, message, documentation) }
}

/** Codes of an error and of its causes. */
function codesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return []
  return ['code' in error ? error.code : null, ...codesOf(error.cause)]
}

function apiErrorResponse(error: ApiError, documentation: string): ApiResponse {
  const { status, message, errors } = error
  if (errors === null) return { status, headers: [], body: errorBody(status, message, documentation) }
  return json(status, { message, errors, documentation_url: documentation, status: String(status) })
}
