import type { IncomingMessage, ServerResponse } from 'node:http'

/** How much of a body is read before its connection is closed. */
export interface DrainLimits {
  /** @default 64 MiB */
  readonly maxBytes?: number
  /** @default 10 s; null if something else bounds the time */
  readonly maxMs?: number | null
  /** After `maxBytes`: close the connection, or resolve and leave the rest unread. @default 'close' */
  readonly atMaxBytes?: 'close' | 'stop'
}

const MAX_BYTES = 64 * 1_048_576
const MAX_MS = 10_000
const MAX_SILENCE_MS = 2_000

/**
 * From now on, the end of the response sends the rest of it at once, and takes place when the body of the request has arrived.
 *
 * Closing at the end of a response, as Node does with `Connection: close` and HTTP/1.0, would reset the connection and lose
 * the response of a client that sends everything before it reads. `getRequestListener` does so after half a second.
 */
export function waitForBody(request: IncomingMessage, response: ServerResponse, limits: DrainLimits = {}): void {
  type End = (chunk?: Uint8Array | string, encoding?: BufferEncoding) => ServerResponse
  const end = response.end.bind(response) as End
  const endLater: End = (chunk, encoding = 'utf8') => {
    if (request.complete || request.destroyed) return chunk === undefined ? end() : end(chunk, encoding)
    // A write in a response to HEAD sends nothing.
    response.flushHeaders()
    if (chunk !== undefined) response.write(chunk, encoding)
    // A stream that read a part of the body would pause it.
    request.removeAllListeners('data')
    void drainBody(request, limits).then(() => end())
    return response
  }
  response.end = endLater as typeof response.end
}

interface EndText {
  readonly text: string
  /** Length of the body in UTF-8. */
  readonly byteLength?: number
}

/** Ends a response with a text, and waits as above. */
export function endAfterBody(
  request: IncomingMessage,
  response: ServerResponse,
  { text, byteLength = Buffer.byteLength(text), ...limits }: DrainLimits & EndText,
): void {
  // The client may have disconnected.
  response.on('error', () => {})
  if (!request.complete) waitForBody(request, response, limits)
  // ASCII has the same bytes in both encodings; Latin-1 is written without a conversion.
  response.end(text, byteLength === text.length ? 'latin1' : 'utf8')
}

/**
 * Reads and drops the rest of a body; resolves at its end, or when its connection has closed. An endless body, and one that
 * is never sent, must not keep the connection open: it is closed at the limits.
 */
export function drainBody(
  request: IncomingMessage,
  { maxBytes = MAX_BYTES, maxMs = MAX_MS, atMaxBytes = 'close' }: DrainLimits = {},
): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const cut = (): void => void request.socket.destroy()
  const deadline = maxMs === null ? undefined : setTimeout(cut, maxMs).unref()
  // A client that waits for an answer before it sends the body never sends it.
  const silence = request.headers.expect === undefined ? null : setTimeout(cut, MAX_SILENCE_MS).unref()
  let byteCount = 0
  const drop = (chunk: Uint8Array): void => {
    byteCount += chunk.byteLength
    silence?.refresh()
    if (byteCount <= maxBytes) return
    if (atMaxBytes === 'close') return cut()
    request.off('data', drop).pause()
    end()
  }
  const end = (): void => {
    clearTimeout(deadline)
    clearTimeout(silence ?? undefined)
    resolve()
  }
  // A request that was piped is paused, and stays so with a listener.
  request.unpipe()
  request.on('data', drop)
  request.once('end', () => resolve())
  request.once('close', end)
  request.resume()
  return promise
}
