import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** Sends requests at a fixed rate, however fast the server is. */
export interface PacedLoad {
  readonly origin: string
  readonly path: string
  readonly token: string
  readonly perSecond: number
  readonly seconds: number
}

const connections = 32

/**
 * Sends requests at an even pace and returns their latencies in milliseconds, ascending. Latency is measured from the
 * planned time of a request, so that requests delayed by a stalled server count.
 */
export async function pacedLoad(load: PacedLoad): Promise<readonly number[]> {
  const { hostname, port } = new URL(load.origin)
  const message = `GET ${load.path} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: token ${load.token}\r\n\r\n`
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(hostname, Number(port))))
  const idle = [...sockets]
  const waiting: number[] = []
  const tookMs: number[] = []
  const total = load.perSecond * load.seconds
  const startedAt = performance.now()
  let due = 0

  const send = (socket: Socket, dueAt: number): void => {
    readAnswer(socket, () => {
      tookMs.push(performance.now() - dueAt)
      const next = waiting.shift()
      if (next === undefined) idle.push(socket)
      else send(socket, next)
    })
    socket.write(message)
  }
  while (tookMs.length < total) {
    const now = performance.now()
    for (; due < total && startedAt + (due * 1_000) / load.perSecond <= now; due += 1) {
      const dueAt = startedAt + (due * 1_000) / load.perSecond
      const socket = idle.pop()
      if (socket === undefined) waiting.push(dueAt)
      else send(socket, dueAt)
    }
    await new Promise(setImmediate)
  }
  for (const socket of sockets) socket.destroy()
  return tookMs.toSorted((a, b) => a - b)
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function readAnswer(socket: Socket, done: () => void): void {
  let head = ''
  let missing = Number.NaN
  const read = (chunk: Buffer): void => {
    if (Number.isNaN(missing)) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      missing = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4)
    } else {
      missing -= chunk.length
    }
    if (missing > 0) return
    socket.off('data', read)
    done()
  }
  socket.on('data', read)
}
