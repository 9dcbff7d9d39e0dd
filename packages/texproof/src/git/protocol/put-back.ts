import { Readable } from 'node:stream'

/** Puts bytes back in front of a stream that is no longer being read; returns the whole stream. */
export function putBack(bytes: Uint8Array, rest: Readable): Readable {
  // Nothing can be put back into a stream that has ended.
  if (rest.readableEnded) return Readable.from([bytes], { objectMode: false })
  if (bytes.length > 0) rest.unshift(bytes)
  return rest
}
