/** The process that starts programs for a server; see `spawner.ts`. */

import { rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { startChild, type ChildCommand } from './start-child.ts'

/** Order of the server to start a program. */
export interface SpawnOrder {
  readonly id: number
  readonly command: ChildCommand
  /** Descriptors of the program; a number = the connection with that number. */
  readonly descriptors: readonly ('ignore' | { readonly file: string } | number)[]
}

/** Message to the server: connections are accepted, or about the program of an order. */
export type SpawnNews =
  | { readonly kind: 'listening' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number }
  | {
      readonly kind: 'ended'
      readonly id: number
      readonly code: number | null
      readonly signal: NodeJS.Signals | null
    }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly code: string | null }

const STANDARD_DESCRIPTORS = 3
/** The server uses its connections in their order, except for neighbors: it has none this far below one that it uses. */
const MAX_DISORDER = 100

const [, , socketPath = ''] = process.argv
const spares = new Map<number, Socket>()
let lastNumber = 0

// A terminal sends these to both processes, and the server decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', leave)
process.on('message', (order: SpawnOrder) => carryOut(order))
acceptSpares()

/** The server has ended, perhaps without cleaning up. bubblewrap ends with this process. */
function leave(): void {
  rmSync(dirname(socketPath), { recursive: true, force: true })
  // oxlint-disable-next-line unicorn/no-process-exit -- running programs keep it alive
  process.exit()
}

/** Each connection begins with its number, so that both processes use the same one. */
function acceptSpares(): void {
  // Whatever the server sends is for the program.
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (connection) => {
    const number = (lastNumber += 1)
    connection.on('error', () => {}) // The server has closed it; orders that name it fail.
    connection.on('close', () => spares.delete(number))
    const head = Buffer.alloc(4)
    head.writeUInt32LE(number)
    connection.write(head)
    spares.set(number, connection)
  })
  server.listen(socketPath, () => send({ kind: 'listening' }))
}

function carryOut({ id, command, descriptors }: SpawnOrder): void {
  const numbers = descriptors.filter((each) => typeof each === 'number')
  const connections = descriptors.map((each) => (typeof each === 'number' ? (spares.get(each) ?? null) : null))
  for (const number of numbers) spares.delete(number)
  try {
    const child = startChild(
      command,
      descriptors.map((each, index) => (typeof each === 'number' ? ownEnd(connections[index], index) : each)),
    )
    if (child.pid !== undefined) send({ kind: 'started', id, pid: child.pid })
    child.once('error', (error) => send({ kind: 'failed', id, ...describe(error) }))
    child.once('exit', (code, signal) => send({ kind: 'ended', id, code, signal }))
    for (const [index, connection] of connections.entries())
      if (index >= STANDARD_DESCRIPTORS && connection !== null)
        join(connection, child.stdio[index] as Duplex | undefined)
  } catch (error) {
    send({ kind: 'failed', id, ...describe(error) })
    for (const connection of connections) connection?.destroy()
  }
  // The program has its own descriptors.
  for (const connection of connections.slice(0, STANDARD_DESCRIPTORS)) connection?.destroy()
  closeForgotten(Math.min(...numbers))
}

/**
 * Other processes connect as well, to check whether this one runs, any number of them between two orders. A paused
 * connection does not detect its end. `used` = the first connection of an order; infinite if it has none.
 */
function closeForgotten(used: number): void {
  if (used === Infinity) return
  for (const [number, connection] of spares) {
    if (number > used - MAX_DISORDER) return
    spares.delete(number)
    connection.destroy()
  }
}

/**
 * The program's end of a connection. Node.js lets a program wait on its standard descriptors only; reading from others
 * would fail while there is nothing to read, so those get a pipe.
 */
function ownEnd(connection: Socket | null | undefined, index: number): Socket | 'pipe' {
  if (!(connection instanceof Socket)) throw new Error('the connection has closed')
  return index < STANDARD_DESCRIPTORS ? connection : 'pipe'
}

function join(connection: Socket, pipe: Duplex | undefined): void {
  pipe?.on('error', () => {}) // The program has ended.
  pipe?.once('close', () => connection.end())
  if (pipe === undefined) connection.destroy()
  else connection.pipe(pipe).pipe(connection)
}

function describe(error: unknown): { readonly message: string; readonly code: string | null } {
  const { message, code } = error as NodeJS.ErrnoException
  return { message, code: code ?? null }
}

function send(news: SpawnNews): void {
  process.send?.(news, undefined, undefined, () => {}) // A failure is the end of the server: see `leave()`.
}
