import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sends bytes on a new connection and returns everything received until the end, a reset or `timeoutMs`. */
export async function exchangeRaw(
  port: number,
  pieces: readonly string[],
  { timeoutMs = 5000 }: { readonly timeoutMs?: number } = {},
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => received.push(chunk))
    // A reset is a valid response to most of these requests; data received before it counts.
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
  })
  for (const piece of pieces) {
    if (socket.destroyed) break
    if (!socket.write(piece)) await Promise.race([ended, new Promise((resolve) => socket.once('drain', resolve))])
  }
  await Promise.race([ended, sleep(timeoutMs)])
  socket.destroy()
  return Buffer.concat(received).toString('latin1')
}
