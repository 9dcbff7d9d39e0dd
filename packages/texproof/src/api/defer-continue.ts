import type { Server } from 'node:http'

/**
 * Answers `Expect: 100-continue` only when the body is about to be read: after authentication and the check of its
 * length. A request refused earlier gets its final response instead, and its client never sends the body.
 */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    const read = request._read.bind(request)
    // The client may or may not send the body after a final response, so the connection ends with that response.
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
