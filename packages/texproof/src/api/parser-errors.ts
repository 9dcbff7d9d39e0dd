/**
 * Responses to requests that Node refuses before any listener is called: an invalid request line, headers that are too
 * large, an unknown expectation, a tunnel. They have the same headers and body as every other response.
 */
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import type { Logger } from 'pino'

import { errorBody } from './respond.ts'
import { serviceHeaders } from './service-headers.ts'
import { trackExchanges } from './track-exchanges.ts'

/**
 * Registers these responses on a server, and logs each under its request id. Create the server with
 * `requireHostHeader: false`: the listener checks that itself.
 */
export function answerParserErrors(server: Server, options: { readonly log?: Pick<Logger, 'info'> } = {}): void {
  const logged = (requestId: string, status: number, code?: string): void =>
    options.log?.info({ request_id: requestId, status, code }, 'refused before routing')
  const exchanges = trackExchanges(server)

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser stays in its error state: every further byte repeats the error.
    if (!exchanges.claimRefusal(socket)) return
    exchanges.whenAnswered(socket, () =>
      answerOnSocket(socket, {
        ...responseFor(error),
        logged: (requestId, status) => logged(requestId, status, error.code),
      }),
    )
  })
  server.on('connect', (_request, socket) => answerOnSocket(socket, { status: 404, message: 'Not Found', logged }))
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUUID()
    const body = errorBody(417, 'Expectation Failed')
    response.writeHead(417, [...serviceHeaders(requestId), 'Content-Length', String(Buffer.byteLength(body))])
    response.end(body)
    logged(requestId, 417)
  })
}

function responseFor(error: NodeJS.ErrnoException): { readonly status: number; readonly message: string } {
  if (error.code === 'HPE_HEADER_OVERFLOW') return { status: 431, message: 'Request Header Fields Too Large' }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return { status: 413, message: 'Payload Too Large' }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, message: 'Request Timeout' }
  // A method unknown to the parser is treated like any other method without a route, and so is a path with a byte that must
  // be escaped.
  if (error.code === 'HPE_INVALID_METHOD' && hasWholeRequestLine(error)) return { status: 404, message: 'Not Found' }
  if (error.code === 'HPE_INVALID_URL' && failsInPath(error)) return { status: 404, message: 'Not Found' }
  return { status: 400, message: 'Bad Request' }
}

/** `FROB /x HTTP/1.1`: the rest of the request line is valid, so only the method is unknown. */
function hasWholeRequestLine(error: Error): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP\/1\.[01]$/.test(readRequestLine(error).line)
}

/** `GET /\xff HTTP/1.1`: the method is valid, and the parser stopped within a path that begins with a slash. */
function failsInPath(error: Error): boolean {
  const { line, errorAt } = readRequestLine(error)
  return hasWholeRequestLine(error) && /^\S+ \/[^?#]*$/.test(line.slice(0, errorAt))
}

/** The line that the parser stopped in, and where; empty if the line is not in the last packet. */
function readRequestLine(error: Error): { readonly line: string; readonly errorAt: number } {
  if (!('rawPacket' in error) || !(error.rawPacket instanceof Uint8Array)) return { line: '', errorAt: 0 }
  const packet = Buffer.from(error.rawPacket).toString('latin1')
  const errorAt = 'bytesParsed' in error && typeof error.bytesParsed === 'number' ? error.bytesParsed : 0
  const start = packet.lastIndexOf('\n', errorAt - 1) + 1
  return { line: packet.slice(start).split('\r\n', 1)[0] ?? '', errorAt: errorAt - start }
}

interface Refusal {
  readonly status: number
  readonly message: string
  readonly logged: (requestId: string, status: number) => void
}

/** Responds on the raw socket after a parser error, and closes it. */
function answerOnSocket(socket: Duplex, { status, message, logged }: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const body = errorBody(status, message)
  const pairs = [...serviceHeaders(requestId), 'Content-Length', String(Buffer.byteLength(body))]
  const headers = pairs.flatMap((text, index) => (index % 2 === 0 ? [`${text}: ${pairs[index + 1] ?? ''}`] : []))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`)
  logged(requestId, status)
}
