import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Serves the requests of each connection one after another, in the order in which their responses must be sent.
 *
 * Node calls the listener for all requests that a packet contains: a thousand small ones would occupy the thread for
 * seconds, and keep a thousand responses in memory for a client that does not read. While requests wait, no more are read.
 */
export function serveInTurn(listener: RequestListener): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const { socket } = request
    const previous = latest.get(socket)
    latest.set(socket, response)
    response.once('close', () => {
      if (latest.get(socket) === response) latest.delete(socket)
    })
    if (previous === undefined) return listener(request, response)
    let isWaiting = true
    // Later, because Node resumes the connection at the end of each request.
    process.nextTick(() => isWaiting && socket.pause())
    previous.once('close', () => {
      isWaiting = false
      if (!socket.writable) return
      socket.resume()
      listener(request, response)
    })
  }
}
