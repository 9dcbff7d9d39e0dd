import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Logger } from 'pino'

import { endAfterBody } from '../base/http/end-after-body.ts'

const lfsPath = /^\/[^/]+\/[^/]+\/info\/lfs(?:\/|$)/

/** Whether a request target is one of the Git LFS API. */
export function isLfsTarget(rawTarget: string): boolean {
  return lfsPath.test(rawTarget.split('?', 1)[0] ?? '')
}

/**
 * Answers 404 in the format that Git LFS prints. There is no LFS storage for any repository, so nothing is looked up.
 *
 * Source: Git LFS API, "Response Errors".
 */
export function refuseLfs(request: IncomingMessage, response: ServerResponse, log: Pick<Logger, 'info'>): void {
  const requestId = randomUUID()
  const message = 'This server does not support Git LFS. Commit the files to the repository itself.'
  const body = JSON.stringify({ message, request_id: requestId })
  response.writeHead(404, {
    'content-type': 'application/vnd.git-lfs+json',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'x-service-request-id': requestId,
  })
  endAfterBody(request, response, { text: body })
  log.info({ component: 'git', request_id: requestId, status: 404 }, 'git lfs request')
}
