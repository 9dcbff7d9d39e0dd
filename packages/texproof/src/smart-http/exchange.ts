import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { Logger } from 'pino'

import { drainBody } from '../base/http/end-after-body.ts'
import type { Caller, Repository } from '../domain/types.ts'
import type { ServedPack } from '../git/types.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { SmartHttpTarget } from './parse-target.ts'
import { readBody } from './read-body.ts'

/** An admitted request of git, until its response is sent. */
export interface Exchange extends OpenExchange {
  readonly repository: Repository
}

/** A request of git whose repository is not known yet. */
export interface OpenExchange {
  readonly target: SmartHttpTarget
  readonly caller: Caller | null
  /** `version=0|1|2`, or null. */
  readonly protocol: string | null
  readonly response: ServerResponse
  readonly log: Logger
  readonly requestId: string
  /** Aborted when the client disconnects, stalls or exceeds a limit. */
  readonly signal: AbortSignal
  /** The request's body, inflated. @throws HttpRefusal for a content type or encoding that git does not send. */
  openBody(maxBytes: number): Readable
  /** Pipes a body to git; errors end the exchange. */
  feed(body: Readable, served: ServedPack): void
  /** Reads a body to its end and drops it, because a client reads the response after sending. */
  drain(body: Readable): Promise<void>
  /** Whether the body has arrived completely, read or not, or `receiveRest` has ended. */
  isReceived(): boolean
  /** Reads and drops the rest of an abandoned body; ends with it, or after a maximum of bytes. */
  receiveRest(maxBytes: number): Promise<void>
  /** Reads and drops the rest of an abandoned body; closes the connection after a maximum of bytes. */
  dropRest(): Promise<void>
  /** Resets the idle timeout. */
  stayOpen(): void
  /** Checks again whether the caller is permitted; null if so. */
  findRefusal(): Promise<HttpRefusal | null>
}

/** Opens an exchange for an authorized request. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  {
    idleTimeoutMs,
    ...options
  }: Pick<OpenExchange, 'target' | 'caller' | 'log' | 'requestId' | 'findRefusal'> & {
    /** The exchange ends after this time without traffic in either direction. */
    readonly idleTimeoutMs: number
  },
): OpenExchange {
  const abort = new AbortController()
  let isTooLong = false
  response.setTimeout(idleTimeoutMs, () => {
    abort.abort(new Error('the client has stalled'))
    request.destroy()
  })
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Error('the client has disconnected'))
  })
  return {
    ...options,
    response,
    protocol: parseProtocol(request.headers['git-protocol']),
    signal: abort.signal,
    openBody(maxBytes) {
      if (request.headers['content-type'] !== `application/x-git-${options.target.service}-request`) {
        throw new HttpRefusal(415, 'This address is for git clients only.')
      }
      const body = readBody(request, { maxBytes })
      if (body === null) throw new HttpRefusal(415, 'Unsupported content encoding. Use gzip.')
      return body
    },
    async drain(body) {
      for await (const _chunk of body) continue
    },
    isReceived: () => request.complete || isTooLong,
    // The time of both is bounded by the idle timeout.
    async receiveRest(maxBytes) {
      await drainBody(request, { maxMs: null, maxBytes, atMaxBytes: 'stop' })
      isTooLong = !request.complete
    },
    dropRest: () => drainBody(request, { maxMs: null }),
    stayOpen: () => void response.setTimeout(idleTimeoutMs),
    feed(body, served) {
      pipeline(body, served.stdin, { signal: abort.signal }).catch((error: unknown) => {
        if (!isPipeClosed(error))
          abort.abort(error instanceof HttpRefusal ? error : new Error('read request body', { cause: error }))
        // Git may stop reading early; its exit code has the reason. A client reads the response after sending
        // everything, so the remaining bytes are read and dropped.
        request.unpipe()
        request.resume()
      })
    },
  }
}

/** Protocol version to pass to git: one of the three known ones, or null. */
function parseProtocol(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^version=[012]$/.test(header) ? header : null
}

function isPipeClosed(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  )
}
