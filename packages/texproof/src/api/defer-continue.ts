import type { Server } from 'node:http'

/**
 * Answers `Expect: 100-continue` only when the body is about to be read: after the request was authenticated and its
 * length checked. A request that is refused before gets its final answer instead, and never sends the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    const read = request._read.bind(request)
    // Whether the client sends the body after a final answer is open, so the connection ends with that answer.
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request._read = (size) => {
      request._read = read
      if (!response.headersSent) {
        response.shouldKeepAlive = shouldKeepAlive
        response.writeContinue()
      }
      read(size)
    }
    server.emit('request', request, response)
  })
}
