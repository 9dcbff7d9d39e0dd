import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'

import { consumeOutput } from '@texproof/platex/spawner'

/** git often writes 8 KB at a time. In a large output, reading such pieces together costs less than waking up for each. */
const SMALL_PIECE_BYTES = 32 * 1024
const LARGE_OUTPUT_BYTES = 1024 * 1024
/** Time to collect output. In this time, git fills a small part of the socket at most. */
const COLLECT_MS = 1

/**
 * Sends the output of a program as the rest of a response, with back pressure. Its pieces are read into a few blocks that
 * are used again.
 *
 * @throws Error if either side ends early, or the reason of `signal`; both are then destroyed.
 */
export async function relayOutput(output: Readable, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const readOn = (): void => void (output.destroyed || output.resume())
  let sentBytes = 0
  const isConsumed = consumeOutput(output, (piece, release) => {
    sentBytes += piece.byteLength
    response.write(piece, () => {
      release()
      if (piece.byteLength < SMALL_PIECE_BYTES && sentBytes > LARGE_OUTPUT_BYTES) setTimeout(readOn, COLLECT_MS)
      else readOn()
    })
  })
  if (!isConsumed) return pipeline(output, response, { signal })
  try {
    const ended = finished(output, { writable: false, signal }).then(() => response.end())
    await Promise.all([ended, finished(response, { readable: false, signal })])
  } catch (error) {
    output.destroy()
    response.destroy()
    throw error
  }
}
