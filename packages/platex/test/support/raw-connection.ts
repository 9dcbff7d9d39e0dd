import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A TCP connection that says exactly what a test wants said. */
export interface RawConnection extends Disposable {
  readonly socket: Socket
  /** Everything received so far. */
  received(): string
  /** Resolves when the first answer's head is complete. */
  head(): Promise<string>
  /** Resolves with everything received when the other side has closed. */
  closed(): Promise<string>
}

export async function openRawConnection(port: number, text: string): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    received += piece
  })
  socket.on('error', () => {}) // A reset is an end like any other.
  const hasClosed = once(socket, 'close')
  await once(socket, 'connect')
  socket.write(text)
  return {
    socket,
    received: () => received,
    head: async () => {
      while (!received.includes('\r\n\r\n') && !socket.destroyed) {
        await Promise.race([once(socket, 'data'), hasClosed])
      }
      return received
    },
    closed: async () => {
      await hasClosed
      return received
    },
    [Symbol.dispose]: () => socket.destroy(),
  }
}
