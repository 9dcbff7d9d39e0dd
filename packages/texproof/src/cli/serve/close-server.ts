import type { Server } from 'node:http'

const sweepMs = 100

/**
 * Stops accepting connections, lets running requests finish for at most `drainMs`, then closes the rest. Connections
 * are closed as soon as they are idle, because keep-alive would hold them open.
 */
export async function closeServer(
  server: Server,
  { drain, drainMs }: { readonly drain: () => Promise<void>; readonly drainMs: number },
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  await Promise.all([closed, drain()])
  clearInterval(sweep)
  clearTimeout(cut)
}
