/**
 * WebSocket connections. The pages decide about an upgrade like about any other request, with the same session, the same
 * access rules and the same answers; the connection is opened only if the handler accepts it.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { WebSocketServer } from 'ws'

import { createByteBudget } from '../base/http/byte-budget.ts'
import { roomLimits } from '../live/rooms.ts'
import { MAX_MESSAGE_BYTES } from '../live/serve-socket.ts'
import { isLivePath } from '../web/edit/live.ts'
import type { AcceptedConnection, UpgradeEnv } from '../web/edit/live.ts'

/** How long clients may take to close a connection when the server stops. */
const CLOSE_WITHIN_MS = 1_000
const RESTART = 1012
/** Connections for each place in a room: after a network failure, browsers connect again before the old connections have ended. */
const CONNECTIONS_PER_MEMBER = 3

/** The live connections of a host. */
export interface LiveConnections {
  /** Listener for the event `upgrade` of the server. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes all connections. */
  close(): Promise<void>
}

/** Whether a request opens a live connection; all others are ordinary requests, whatever they offer to upgrade to. */
export function isLiveRequest({ headers, method, url = '/' }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && isLivePath(url)
}

/** Creates the live connections of the pages. */
export function createLiveConnections(pages: {
  fetch(request: Request, env: UpgradeEnv): Response | Promise<Response>
}): LiveConnections {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  // A client may begin a message and never end it, also before it has a place in a room.
  const memory = createByteBudget({
    perKey: CONNECTIONS_PER_MEMBER * roomLimits.membersOfUser * MAX_MESSAGE_BYTES,
    total: CONNECTIONS_PER_MEMBER * roomLimits.members * MAX_MESSAGE_BYTES,
  })
  let isClosed = false

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    let asked: AcceptedConnection | null = null
    const response = await pages.fetch(toRequest(request), {
      incoming: request,
      acceptConnection: (accepted) => {
        asked = accepted
      },
    })
    const accepted = asked as AcceptedConnection | null
    if (accepted === null || isClosed) return refuse(socket, response)
    const release = memory.take(accepted.userId, MAX_MESSAGE_BYTES)
    if (release === null) return refuse(socket, new Response(null, { status: 503 }))
    socket.once('close', release)
    server.handleUpgrade(request, socket, head, (connection) => accepted.serve(connection))
  }

  return {
    upgrade(request, socket, head) {
      // The client has disconnected.
      socket.on('error', () => socket.destroy())
      open(request, socket, head).catch(() => socket.destroy()) // The browser connects again.
    },
    async close() {
      isClosed = true
      for (const client of server.clients) client.close(RESTART)
      const cut = setTimeout(() => {
        for (const client of server.clients) client.terminate()
      }, CLOSE_WITHIN_MS)
      await Promise.all(
        [...server.clients].map(
          (client) =>
            new Promise<void>((resolve) => {
              client.once('close', () => resolve())
            }),
        ),
      )
      clearTimeout(cut)
    },
  }
}

function toRequest({ headers, url = '/' }: IncomingMessage): Request {
  const sent = new Headers()
  for (const [name, values] of Object.entries(headers))
    // A request of fetch contains no connection headers.
    if (!['connection', 'upgrade'].includes(name)) for (const value of [values ?? []].flat()) sent.append(name, value)
  return new Request(new URL(url, 'http://localhost'), { headers: sent })
}

/** Answers like an ordinary request. */
function refuse(socket: Duplex, { status, headers }: Response): void {
  const location = headers.get('location')
  const lines = [
    `HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Refused'}`,
    'Connection: close',
    'Content-Length: 0',
    ...(location === null ? [] : [`Location: ${location}`]),
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n`)
}
