import type { Server } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'

const sweepMs = 100
/** The first may end before it looks at the network. */
const QUIET_TURNS = 2
/** Clients that connect faster than the event loop turns cannot keep a server running. */
const MAX_TURNS = 1_000

/**
 * Stops accepting connections, lets running requests finish for at most `drainMs`, then closes the rest. Connections
 * are closed as soon as they are idle, because keep-alive would hold them open.
 */
export async function closeServer(
  server: Server,
  { drain, drainMs }: { readonly drain: () => Promise<void>; readonly drainMs: number },
): Promise<void> {
  await acceptWaiting(server)
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  const cut = setTimeout(() => server.closeAllConnections(), drainMs)
  await Promise.all([closed, drain()])
  clearInterval(sweep)
  clearTimeout(cut)
}

/**
 * Clients whose connections only the kernel has accepted would be reset. Node accepts one in each turn of the event
 * loop.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0
  const onConnection = (): void => {
    quiet = 0
  }
  server.on('connection', onConnection)
  for (let turn = 0; turn < MAX_TURNS && quiet < QUIET_TURNS; turn += 1) {
    quiet += 1
    await nextTurn()
  }
  server.off('connection', onConnection)
}
