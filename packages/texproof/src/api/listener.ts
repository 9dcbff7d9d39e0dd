/**
 * The API on a plain `node:http` server without a framework: routes are matched on the raw path, and every header of a
 * response is written here.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Config } from '../config/read-config.ts'
import type { Deps } from '../operations/deps.ts'
import type { ApiDeps, ApiResponse } from './api-request.ts'
import { dispatch } from './dispatch.ts'
import { hasValidHead } from './has-valid-head.ts'
import { publicUrls } from './present/public-urls.ts'
import { parseRequestTarget } from './request-target.ts'
import { errorBody } from './respond.ts'
import { serviceHeaders } from './service-headers.ts'
import { shareReads } from './share-reads.ts'

export { isApiPath } from './request-target.ts'

const maxDrainedBytes = 64 * 1_048_576
const maxDrainMs = 10_000
const maxSilenceMs = 2_000

/** Dependencies of the API. */
export type ApiListenerDeps = Pick<Deps, 'store' | 'git' | 'log' | 'parsers'> & {
  readonly config: Pick<Config, 'baseUrl' | 'isSignInRequired' | 'quotas'>
}

/** Creates the listener for requests whose target is an API path (`isApiPath`). */
export function createApiListener(deps: ApiListenerDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { store, log, parsers } = deps
  const git = shareReads(deps.git)
  const { baseUrl, isSignInRequired, quotas } = deps.config
  const apiDeps: ApiDeps = {
    store,
    git,
    log,
    parsers,
    urls: publicUrls(baseUrl),
    isSignInRequired,
    config: { quotas },
  }
  return (request, response) => void serve(request, response, apiDeps)
}

async function serve(request: IncomingMessage, response: ServerResponse, deps: ApiDeps): Promise<void> {
  const requestId = randomUUID()
  const startedAt = performance.now()
  const answer = !hasValidHead(request)
    ? { status: 400, headers: [], body: errorBody(400, 'Bad Request') }
    : await dispatch(request, deps, (error) => deps.log.error({ request_id: requestId, err: error }, 'request failed'))
  write(request, response, { answer, requestId })
  deps.log.info({
    request_id: requestId,
    method: request.method,
    // Neither query nor authority: they may contain a secret.
    path: parseRequestTarget(request.url ?? '').path,
    status: answer.status,
    duration_ms: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
  })
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, requestId }: { readonly answer: ApiResponse; readonly requestId: string },
): void {
  // The client may have disconnected.
  response.on('error', () => {})
  const { status, headers, body } = answer
  const length = Buffer.byteLength(body)
  response.writeHead(status, [...serviceHeaders(requestId), 'Content-Length', String(length), ...headers])
  // ASCII has the same bytes in both encodings; Latin-1 is written without a conversion.
  const encoding = length === body.length ? 'latin1' : 'utf8'
  if (request.complete || request.destroyed) {
    response.end(body, encoding)
    return
  }
  // A write in a response to HEAD sends nothing.
  response.flushHeaders()
  response.write(body, encoding)
  drainRequest(request, () => response.end())
}

/**
 * Reads and drops the rest of a request, and then calls `onEnd`. Closing at once, as Node does at the end of a response
 * with `Connection: close`, would reset the connection and lose the response; an endless body, and one that is never
 * sent, must not keep the connection open.
 */
function drainRequest(request: IncomingMessage, onEnd: () => void): void {
  let byteCount = 0
  const cut = (): void => void request.socket.destroy()
  const deadline = setTimeout(cut, maxDrainMs).unref()
  // A client that waits for an answer before it sends the body never sends it.
  const silence = request.headers.expect === undefined ? null : setTimeout(cut, maxSilenceMs).unref()
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length
    if (byteCount > maxDrainedBytes) cut()
    silence?.refresh()
  })
  request.once('end', onEnd)
  request.once('close', () => {
    clearTimeout(deadline)
    if (silence !== null) clearTimeout(silence)
  })
  request.resume()
}
