import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A TCP connection that sends exactly the given bytes. */
export interface RawConnection extends Disposable {
  readonly socket: Socket
  /** All bytes received so far. */
  received(): string
  /** Resolves when the head of the first response is complete. */
  head(): Promise<string>
  /** Resolves with all received bytes when the server has closed the connection. */
  closed(): Promise<string>
}

export async function openRawConnection(port: number, text: string): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    received += piece
  })
  socket.on('error', () => {}) // A reset also ends the connection.
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
