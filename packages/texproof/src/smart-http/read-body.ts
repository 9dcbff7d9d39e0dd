import type { IncomingMessage } from 'node:http'
import { Transform, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { HttpRefusal } from './http-refusal.ts'

/**
 * The body of a request as a stream, inflated if the client has compressed it; null for an unknown encoding. The stream
 * fails with a refusal: 413 after `maxBytes` of output, however small the compressed form, and 400 for a truncated or
 * damaged body.
 */
export function readBody(request: IncomingMessage, options: { readonly maxBytes: number }): Readable | null {
  // A client that sent `Expect` can be refused before it sends; for others, git's own report gives the reason.
  const isAnnouncedTooLarge = Number(request.headers['content-length'] ?? 0) > options.maxBytes
  if (isAnnouncedTooLarge && request.headers.expect !== undefined)
    throw new HttpRefusal(413, `The request is larger than the limit of this server (${options.maxBytes} bytes).`)
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const counter = countBytes(options.maxBytes)
  if (encoding === 'identity') return chain(request, counter)
  if (encoding === 'gzip' || encoding === 'x-gzip') return chain(chain(request, createGunzip()), counter)
  return null
}

const DAMAGED = 'The request ended early or is damaged.'

/** `pipe` keeps the source open if the target fails, so that the error response can still be sent. */
function chain<Target extends Transform>(source: Readable, target: Target): Target {
  const fail = (cause: unknown): void => void target.destroy(new HttpRefusal(400, DAMAGED, { cause }))
  source.once('error', fail)
  source.once('close', () => {
    if (!source.readableEnded) fail(new Error('the client has disconnected'))
  })
  target.on('error', () => {}) // Reported to the reader, also later.
  source.pipe(target)
  return target
}

function countBytes(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength
      if (bytes > maxBytes)
        done(new HttpRefusal(413, `The request is larger than this server accepts (${maxBytes} bytes).`))
      else done(null, chunk)
    },
  })
}
