import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Logger } from 'pino'

import type { Caller, Repository } from '../domain/types.ts'
import type { ServedPack } from '../git/types.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { SmartHttpTarget } from './parse-target.ts'
import { readBody } from './read-body.ts'

/** An admitted request of git, until its response is sent. */
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
  readonly requestId: string
  /** Fires when the client goes away, stalls or sends more than it may. */
  readonly signal: AbortSignal
  /** The request's body, inflated. @throws HttpRefusal for a content type or encoding that git never sends. */
  openBody(maxBytes: number): Readable
  /** Sends a body to git; what goes wrong there ends the exchange. */
  feed(body: Readable, served: ServedPack): void
  /** Reads a body to its end and drops it. A client that is still sending does not listen yet. */
  drain(body: Readable): Promise<void>
  /** Reads and drops, up to a point, what comes behind a body that was given up. */
  dropRest(): void
  /** Begins the time anew that the connection may be silent for. */
  stayOpen(): void
  /** Checks again whether the caller may do this; null when so. */
  findRefusal(): Promise<HttpRefusal | null>
}

/** A client whose request is given up may send this much more before it is cut off. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024
/** Silence on the connection, in either direction, for this long ends an exchange. */
const IDLE_TIMEOUT_MS = 60_000

/** Opens an exchange for an authorized request. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: Pick<OpenExchange, 'target' | 'caller' | 'log' | 'requestId' | 'findRefusal'>,
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
    async drain(body) {
      for await (const _chunk of body) continue
    },
    dropRest: () => dropBody(request),
    stayOpen: () => void response.setTimeout(IDLE_TIMEOUT_MS),
    feed(body, served) {
      pipeline(body, served.stdin, { signal: abort.signal }).catch((error: unknown) => {
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

/** What the client still sends is read and dropped: closing at once would reset the connection under the answer. */
export function dropBody(request: IncomingMessage): void {
  let bytes = 0
  request.unpipe()
  request.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes > MAX_DROPPED_BYTES) request.destroy()
  })
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
