import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StrictProxy {
  readonly origin: string
  /** Resolves when a chunked request, such as a large push, begins to arrive. */
  readonly push: Promise<unknown>
  close(): void
}

/**
 * Starts a reverse proxy that behaves like nginx with `proxy_request_buffering off`: it no longer forwards the body of a
 * request once the response has begun.
 */
export async function startStrictProxy(target: string): Promise<StrictProxy> {
  const push = Promise.withResolvers<void>()
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = request(new URL(url ?? '', target), { method, headers })
    incoming.pipe(forwarded)
    if (headers['transfer-encoding'] === 'chunked') incoming.once('data', () => push.resolve())
    forwarded.on('response', (response) => {
      if (!incoming.readableEnded) incoming.unpipe(forwarded)
      outgoing.writeHead(response.statusCode ?? 0, response.headers)
      response.on('error', () => outgoing.destroy()).pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    push: push.promise,
    close: () => server.close().closeAllConnections(),
  }
}
