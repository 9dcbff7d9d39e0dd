/**
 * WebSocket connections. The pages decide about an upgrade like about any other request, with the same session, the same
 * access rules and the same answers; the connection is opened only if the handler accepts it.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

import { WebSocketServer } from 'ws'

import { MAX_MESSAGE_BYTES } from '../live/serve-socket.ts'
import { isLivePath } from '../web/edit/live.ts'
import type { UpgradeEnv, ServeConnection } from '../web/edit/live.ts'

/** How long clients may take to close a connection when the server stops. */
const CLOSE_WITHIN_MS = 1_000
const RESTART = 1012

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
  let isClosed = false

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    let serve: ServeConnection | null = null
    const response = await pages.fetch(toRequest(request), {
      incoming: request,
      acceptConnection: (accepted) => {
        serve = accepted
      },
    })
    const accepted = serve as ServeConnection | null
    if (accepted === null || isClosed) return refuse(socket, response)
    server.handleUpgrade(request, socket, head, (connection) => accepted(connection))
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
