/** A load balancer for TCP connections, like the one in front of several servers. */
import { randomInt } from 'node:crypto'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Balancer {
  readonly url: string
  /** Ports of the servers; a connection goes to a random one, or to another if that one refuses it. */
  readonly ports: Set<number>
  close(): void
}

/** Starts it without a server. */
export async function startBalancer(): Promise<Balancer> {
  const ports = new Set<number>()
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client)).on('error', () => client.destroy())
    void forward(client)
  })

  async function forward(client: Socket): Promise<void> {
    const candidates = [...ports]
    while (candidates.length > 0) {
      const [port = 0] = candidates.splice(randomInt(candidates.length), 1)
      const upstream = await connectTo(port)
      if (upstream === null) continue
      // A server that closes after its response still has bytes on the way to the client, which `pipe` delivers and ends.
      upstream.on('error', () => client.destroy())
      client.once('close', () => upstream.destroy())
      client.pipe(upstream)
      upstream.pipe(client)
      return
    }
    client.destroy()
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function connectTo(port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(null))
  })
}
