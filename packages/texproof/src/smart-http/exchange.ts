import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Logger } from 'pino'

import type { Caller, Repository } from '../domain/types.ts'
import type { ServedPack } from '../git/types.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { SmartHttpTarget } from './parse-target.ts'
import { readBody } from './read-body.ts'

/** A request of git that was let in, until its answer is out. */
export interface Exchange extends OpenExchange {
  readonly repository: Repository
}

/** The same before it is known which repository it is about. */
export interface OpenExchange {
  readonly target: SmartHttpTarget
  readonly caller: Caller | null
  /** `version=0|1|2`, or null. */
  readonly protocol: string | null
  readonly response: ServerResponse
  readonly log: Logger
  /** Fires when the client goes away, stalls or sends more than it may. */
  readonly signal: AbortSignal
  /** The request's body, inflated. @throws HttpRefusal for a content type or encoding that git never sends. */
  openBody(maxBytes: number): ReadableStream<Uint8Array>
  /** Sends a body to git; what goes wrong there ends the exchange. */
  feed(body: ReadableStream<Uint8Array>, served: ServedPack): void
  /** Looks again whether the caller may do this. @throws HttpRefusal when not any more. */
  assertAllowed(): Promise<void>
}

/** Silence on the connection, in either direction, for this long ends an exchange. */
const IDLE_TIMEOUT_MS = 60_000

/** Opens an exchange for a request that the guard has let in. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: Pick<OpenExchange, 'target' | 'caller' | 'log' | 'assertAllowed'>,
): OpenExchange {
  const abort = new AbortController()
  response.setTimeout(IDLE_TIMEOUT_MS, () => {
    abort.abort(new Error('the client has stalled'))
    request.destroy()
  })
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Error('the client has gone away'))
  })
  return {
    ...options,
    response,
    protocol: parseProtocol(request.headers['git-protocol']),
    signal: abort.signal,
    openBody(maxBytes) {
      if (request.headers['content-type'] !== `application/x-git-${options.target.service}-request`) {
        throw new HttpRefusal(415, 'This address speaks to git clients only.')
      }
      const body = readBody(request, { maxBytes })
      if (body === null)
        throw new HttpRefusal(415, 'The body is compressed in a way this server does not know; gzip will do.')
      return body
    },
    feed(body, served) {
      body.pipeTo(served.stdin, { signal: abort.signal }).catch((error: unknown) => {
        if (!isPipeClosed(error))
          abort.abort(error instanceof HttpRefusal ? error : new Error('read request body', { cause: error }))
        // Git may stop reading once it knows enough; how it ends tells the rest. The client must get its words out to
        // hear the answer, so they are taken off its hands.
        request.unpipe()
        request.resume()
      })
    },
  }
}

/** Only the three known versions reach git's environment. */
function parseProtocol(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^version=[012]$/.test(header) ? header : null
}

function isPipeClosed(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  )
}
