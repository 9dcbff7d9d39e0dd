/**
 * Tracks the unanswered requests of each connection. Bytes after a request that the parser rejects, such as the rest of
 * a body whose length was counted in characters, must not replace the response to that request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The unanswered requests of all connections of a server. */
export interface Exchanges {
  /** True for the first parser error of a connection, false for later ones. */
  claimRefusal(socket: Duplex): boolean
  /** Calls `refuse` after all complete requests are answered; only closes if the broken one's response has begun. */
  whenAnswered(socket: Duplex, refuse: () => void): void
}

/** Starts to track the requests of a server. */
export function trackExchanges(server: Server): Exchanges {
  const open = new WeakMap<Duplex, Set<Exchange>>()
  const refused = new WeakSet<Duplex>()

  server.prependListener('request', (request, response) => {
    const exchange = { request, response }
    const { socket } = request
    const exchanges = open.get(socket) ?? new Set()
    open.set(socket, exchanges.add(exchange))
    response.once('close', () => exchanges.delete(exchange))
  })

  return {
    claimRefusal(socket) {
      if (refused.has(socket)) return false
      refused.add(socket)
      return true
    },
    whenAnswered(socket, refuse) {
      const exchanges = [...(open.get(socket) ?? [])]
      // The error is within a body: its request stays incomplete, and the refusal is its response.
      const broken = exchanges.find(({ request }) => !request.complete)
      const waiting = exchanges.filter((exchange) => exchange !== broken)
      let unanswered = waiting.length
      const settle = (): void => {
        if (unanswered > 0) return
        if (broken?.response.headersSent === true) socket.destroy()
        else refuse()
      }
      for (const { response } of waiting)
        response.once('close', () => {
          unanswered -= 1
          settle()
        })
      settle()
    },
  }
}
