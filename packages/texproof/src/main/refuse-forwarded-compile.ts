import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Logger } from 'pino'

import { endAfterBody } from '../base/http/end-after-body.ts'

/** Whether a proxy has forwarded the request, according to its headers. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => headers[name] !== undefined)
}

/**
 * Answers 403 in the format of the compile service. A server on `localhost` without a key trusts this machine, but through a
 * proxy everyone can reach it.
 */
export function refuseForwardedCompile(
  request: IncomingMessage,
  response: ServerResponse,
  log: Pick<Logger, 'info'>,
): void {
  const requestId = randomUUID()
  const error =
    'Without an API key this service accepts no requests through a proxy. Set COMPILE_API_KEY, or compile.anonymous.'
  const body = JSON.stringify({ error, code: 'key_required' })
  response.writeHead(403, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  })
  endAfterBody(request, response, { text: body })
  log.info({ component: 'compile', request_id: requestId, status: 403 }, 'compile request through a proxy refused')
}
