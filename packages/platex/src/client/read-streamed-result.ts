import { RemoteCompileError } from '../base/errors.ts'
import type { CompileProgress, CompileResult } from '../base/types.ts'
import { parseCompileResponse } from './parse-compile-response.ts'
import { readEvents } from './read-events.ts'
import { remoteErrorOf } from './to-remote-error.ts'

/** True if the response is an event stream. */
export function isEventStream(response: Response): boolean {
  return /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
}

/**
 * Reads the events of a compile until its result.
 *
 * @throws RemoteCompileError for an `error` event, a stream without a result, or an invalid result.
 */
export async function readStreamedResult(
  response: Response,
  onProgress: (progress: CompileProgress) => void,
): Promise<CompileResult> {
  for await (const { name, text } of readEvents(response.body ?? new ReadableStream())) {
    if (name === 'result') return parseCompileResponse(response.status, text)
    if (name === 'error') throw remoteErrorOf(statusOf(text), text)
    const progress = name === 'progress' ? parseProgress(text) : null
    if (progress !== null) onProgress(progress)
  }
  throw new RemoteCompileError('the compile service ended its stream without a result', {
    code: 'BAD_RESPONSE',
    status: response.status,
    retryable: true,
  })
}

function statusOf(text: string): number {
  try {
    const body: unknown = JSON.parse(text)
    const hasStatus = typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'number'
    return hasStatus ? Number(body.status) : 500
  } catch {
    return 500 // The event itself reports that the compile failed.
  }
}

/** Parses one progress event; null for an unknown kind of a newer service. */
function parseProgress(text: string): CompileProgress | null {
  const fields = parseFields(text)
  const { kind, passNumber, program, reason, page, durationMs } = fields
  if (kind === 'skipped' && isText(program) && isText(reason)) return { kind, program, reason }
  if (typeof passNumber !== 'number') return null
  if (kind === 'page' && typeof page === 'number') return { kind, passNumber, page }
  if (!isText(program)) return null
  if (kind === 'pass-started' && isText(reason)) return { kind, passNumber, program, reason }
  if (kind === 'pass-ended' && typeof durationMs === 'number') return { kind, passNumber, program, durationMs }
  return null
}

function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // Progress is optional: invalid events are skipped.
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
