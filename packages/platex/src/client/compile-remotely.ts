/**
 * Compiles with a remote service.
 *
 * Each attempt may take `timeout` plus five seconds for the transfer. The service enforces the timeout itself, so the
 * additional seconds pass only if the service or the network fails.
 */
import { DEFAULTS, MAX_TIMER_MS, MAX_WIRE_TIMEOUT_MS } from '../base/defaults.ts'
import { PlatexError, RemoteCompileError } from '../base/errors.ts'
import { guardListener } from '../base/guard-listener.ts'
import type { CompileProgress, CompileResult } from '../base/types.ts'
import type { CompileRequest } from '../options/compile-request.ts'
import { parseRetry } from '../options/parse-settings.ts'
import { encodeBase64 } from '../service/wire/base64.ts'
import { parseCompileResponse } from './parse-compile-response.ts'
import { isEventStream, readStreamedResult } from './read-streamed-result.ts'
import { requestHeaders } from './request-headers.ts'
import { serviceEndpoint } from './service-endpoint.ts'
import { toRemoteError } from './to-remote-error.ts'
import { DeadlineExceeded, withDeadline } from './with-deadline.ts'
import { withRetries } from './with-retries.ts'

const TRANSFER_GRACE_MS = 5_000
const JSON_ONLY = 'application/json'
/** A service without support for streams responds with JSON, and reports no progress. */
const STREAM_OR_JSON = 'text/event-stream, application/json;q=0.9'

/**
 * @throws RemoteCompileError if the service returns no result after all attempts; CompileInputError for an invalid URL
 * or header; the reason of the signal if cancelled.
 */
export async function compileRemotely(request: CompileRequest, service: RemoteService): Promise<CompileResult> {
  const url = serviceEndpoint(service.serviceUrl, '/compile')
  const retry = parseRetry(service.retry) ?? DEFAULTS.retry
  const { signal, onProgress } = guardListener(service)
  const authorization = service.apiKey ? { Authorization: `Bearer ${service.apiKey}` } : {}
  const init: RequestInit = {
    method: 'POST',
    headers: requestHeaders(
      {
        'Content-Type': 'application/json',
        Accept: onProgress === undefined ? JSON_ONLY : STREAM_OR_JSON,
        ...authorization,
      },
      service.headers,
    ),
    body: presentRequest(request),
  }
  const deadlineMs = Math.min(request.timeoutMs + TRANSFER_GRACE_MS, MAX_TIMER_MS)
  return withRetries(
    () => attempt(url, init, { fetch: service.fetch ?? globalThis.fetch, deadlineMs, signal, onProgress }),
    {
      retry,
      signal,
    },
  )
}

interface AttemptOptions {
  readonly fetch: typeof globalThis.fetch
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: CompileProgress) => void) | undefined
}

async function attempt(url: URL, init: RequestInit, options: AttemptOptions): Promise<CompileResult> {
  const { fetch, deadlineMs, signal, onProgress } = options
  try {
    return await withDeadline(
      async (deadlineSignal) => {
        const response = await fetch(url.href, { ...init, signal: deadlineSignal })
        if (!response.ok) throw await toRemoteError(response)
        if (onProgress !== undefined && isEventStream(response)) return await readStreamedResult(response, onProgress)
        return parseCompileResponse(response.status, await response.text())
      },
      { deadlineMs, signal },
    )
  } catch (error) {
    signal?.throwIfAborted()
    throw toAttemptError(error, url)
  }
}

function toAttemptError(error: unknown, url: URL): PlatexError {
  if (error instanceof PlatexError) return error
  const where = url.origin + url.pathname
  const common = { status: null, retryable: true, cause: error }
  if (error instanceof DeadlineExceeded) {
    return new RemoteCompileError(`${where}: ${error.message}`, { ...common, code: 'TIMEOUT' })
  }
  return new RemoteCompileError(`cannot reach ${where}${explain(error)}`, { ...common, code: 'NETWORK' })
}

/** `fetch` of Node.js has the reason in `cause`: `connect ECONNREFUSED 127.0.0.1:3000`. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const reason = error.cause instanceof Error ? error.cause : error
  const code = 'code' in reason && typeof reason.code === 'string' ? reason.code : ''
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return ': the server does not use TLS; try http://'
  const message = reason.message || code
  return message === '' ? '' : `: ${message}`
}

function presentRequest(request: CompileRequest): string {
  const files = Object.fromEntries([...request.files].map(([name, bytes]) => [name, encodeBase64(bytes)]))
  return JSON.stringify({
    ...(request.source === null ? {} : { source: request.source }),
    ...(request.main === null ? {} : { main: request.main }),
    engine: request.engine,
    passes: request.passes,
    bibliography: request.bibliography,
    ...(request.outputs.length === 0 ? {} : { outputs: request.outputs }),
    ...(request.session === null ? {} : { session: request.session }),
    ...(request.files.size === 0 ? {} : { files }),
    timeout: Math.min(request.timeoutMs, MAX_WIRE_TIMEOUT_MS),
  })
}

/** The options for connecting to a compile service. */
export interface RemoteService {
  readonly serviceUrl: string
  readonly apiKey?: string | null | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly retry?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}
