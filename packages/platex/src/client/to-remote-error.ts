import { RemoteCompileError } from '../base/errors.ts'
import type { PlatexErrorCode } from '../base/errors.ts'

const EXCERPT_LENGTH = 500

/** The error for a response other than 2xx; only 5xx is retryable. */
export async function toRemoteError(response: Response): Promise<RemoteCompileError> {
  const { status, headers } = response
  return remoteErrorOf(status, await response.text(), status === 503 ? headers.get('retry-after') : null)
}

/** The error of a response with this status and body. */
export function remoteErrorOf(status: number, text: string, retryAfter: string | null = null): RemoteCompileError {
  return new RemoteCompileError(readSentence(text) ?? `the compile service answered HTTP ${status}`, {
    code: codeFor(status),
    status,
    retryable: status >= 500,
    bodyExcerpt: text.slice(0, EXCERPT_LENGTH),
    retryAfterMs: parseRetryAfter(retryAfter),
  })
}

/** Parses `Retry-After`, seconds or a date, into milliseconds from now; null if absent or invalid. */
export function parseRetryAfter(value: string | null, now: number = Date.now()): number | null {
  if (value === null) return null
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  // Date.parse accepts "-1" as a year.
  const at = /^\s*[A-Za-z]{3}/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

function codeFor(status: number): PlatexErrorCode {
  if (status === 503) return 'BUSY'
  if (status === 401 || status === 403) return 'UNAUTHORIZED'
  if (status >= 500) return 'SERVICE_ERROR'
  return status >= 400 ? 'REJECTED' : 'BAD_RESPONSE'
}

/** The message of the service, if the body is an error body. */
function readSentence(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text)
    const isErrorBody = typeof body === 'object' && body !== null && 'error' in body
    return isErrorBody && typeof body.error === 'string' ? body.error.slice(0, EXCERPT_LENGTH) : null
  } catch {
    return null // Not JSON, for example from a proxy: use the status only.
  }
}
