import type { IncomingMessage, ServerResponse } from 'node:http'

/** The largest body that is no push is a document of 44 MB: a line of 1.5 MBit/s has time for it. */
const bodyTimeMs = 4 * 60_000

/** Cuts a client off whose body does not arrive in time; one byte now and then holds a connection no longer. */
export function limitBodyTime(request: IncomingMessage, response: ServerResponse, timeMs = bodyTimeMs): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined || length === '0') && encoding === undefined) return
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy()
  }, timeMs).unref()
  response.once('close', () => clearTimeout(timer))
}
