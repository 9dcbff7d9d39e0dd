/**
 * The API on a plain `node:http` server without a framework: routes are matched on the raw path, and every header of a
 * response is written here.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { endAfterBody } from '../base/http/end-after-body.ts'
import type { Config } from '../config/read-config.ts'
import type { Deps } from '../operations/deps.ts'
import { isStoreOut } from '../store/sqlite/store-errors.ts'
import type { ApiDeps, ApiResponse } from './api-request.ts'
import { dispatch } from './dispatch.ts'
import { hasValidHead } from './has-valid-head.ts'
import { publicUrls } from './present/public-urls.ts'
import { parseRequestTarget } from './request-target.ts'
import { errorBody } from './respond.ts'
import { serviceHeaders } from './service-headers.ts'
import { shareReads } from './share-reads.ts'

export { isApiPath } from './request-target.ts'

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
    : await dispatch(request, deps, (error) => {
        // An outage is logged once, by work in the background, and not with each request.
        if (!isStoreOut(error)) deps.log.error({ request_id: requestId, err: error }, 'request failed')
      })
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
  const { status, headers, body } = answer
  const byteLength = Buffer.byteLength(body)
  response.writeHead(status, [...serviceHeaders(requestId), 'Content-Length', String(byteLength), ...headers])
  endAfterBody(request, response, { text: body, byteLength })
}
