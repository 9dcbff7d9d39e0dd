import type { IncomingMessage } from 'node:http'

const maxDrainedBytes = 64 * 1_048_576
const maxDrainMs = 10_000

/**
 * Reads away what a client still sends after it was answered. Closing at once would reset the connection and take the
 * answer with it; reading for ever would let a body without end hold us.
 */
export function drainRequest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let byteCount = 0
  const timer = setTimeout(() => request.socket.destroy(), maxDrainMs)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length
    if (byteCount > maxDrainedBytes) request.socket.destroy()
  })
  request.once('close', () => clearTimeout(timer))
  request.resume()
}
