/**
 * Starts programs for a server through a small process beside it.
 *
 * Node.js starts a program with `fork`, which copies the page tables of the server and blocks its event loop: 20 ms for a
 * gigabyte on an idle machine. The small process is forked instead. The server connects to its Unix socket ahead of time;
 * each connection becomes a standard stream of a program, so no data passes through the process itself.
 *
 * Without a spawner, while it starts, and when its connections are used up, programs are started directly.
 */

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killGroup } from '../limits/process-tree.ts'
import { connectProgram } from './program-connection.ts'
import { RelayedProgram } from './relayed-program.ts'
import { removeAbandonedSockets, SOCKET_NAME } from './remove-abandoned-sockets.ts'
import type { SpawnNews, SpawnOrder } from './spawner-process.ts'
import { startChild, type ChildCommand } from './start-child.ts'

/** A descriptor of a program. */
export type ProgramDescriptor = 'ignore' | 'pipe' | { readonly file: string }

interface Connection {
  readonly number: number
  readonly socket: Socket
}

interface Spawner {
  readonly process: ChildProcess
  readonly socketPath: string
  readonly spares: Connection[]
  /** Connections whose number is not known yet. */
  readonly opening: Set<Socket>
  readonly programs: Map<number, RelayedProgram>
  readonly close: () => void
}

/** Sources run directly; a build of the package has the same file as JavaScript. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const PROCESS_FILE = new URL(`./spawner-process.${EXTENSION}`, import.meta.url)
/** Sizes in megabytes. The process holds orders and news, but no data of programs. */
const PROCESS_OPTIONS = ['--max-old-space-size=64', '--max-semi-space-size=1', '--disable-warning=ExperimentalWarning']
/** Enough for 16 programs at once. */
const SPARE_CONNECTIONS = 48
/** Connected in one go. All of them would take 15 ms of a server's start; each program that starts adds as many. */
const CONNECTIONS_AT_ONCE = 8
const FOLDER_PREFIX = 'platex-spawner-'
/** A process that ends sooner is not replaced. */
const SHORTEST_LIFE_MS = 60_000

let spawner: Spawner | null = null
let lastId = 0

/**
 * Starts a program with the given descriptors, the first three of which are its standard ones.
 *
 * As with `child_process.spawn`, a failure to start is the event `error` followed by `close`. The event `spawn` says that
 * its `pid` is known.
 */
export function spawnProgram(command: ChildCommand, descriptors: readonly ProgramDescriptor[]): ChildProcess {
  const pipeCount = descriptors.filter((descriptor) => descriptor === 'pipe').length
  if (spawner === null || spawner.spares.length < pipeCount) return startChild(command, descriptors)
  // It has what callers use of a child process.
  return orderProgram(spawner, command, descriptors) as unknown as ChildProcess
}

/**
 * Starts the process through which this one starts its programs from then on. It is replaced when it ends.
 *
 * @param onFault Called when it has ended by itself, or cannot be started.
 */
export function startSpawner(onFault: (error: Error) => void): { close(): Promise<void> } {
  let isClosed = false
  const open = (): void => {
    const startedAt = performance.now()
    const opened = openSpawner()
    spawner = opened
    const leave = (cause?: Error): void => {
      if (isClosed || spawner !== opened) return
      spawner = null
      opened.close()
      onFault(new Error('the process that starts programs has ended', { cause }))
      if (performance.now() - startedAt > SHORTEST_LIFE_MS) open()
    }
    opened.process.once('error', leave).once('exit', () => leave())
  }
  open()
  // Unreadable folders take space, but nothing else.
  void removeAbandonedSockets(tmpdir(), FOLDER_PREFIX).catch(() => {})
  return {
    async close() {
      isClosed = true
      const last = spawner
      spawner = null
      if (last === null) return
      const ended = once(last.process, 'exit')
      last.close()
      await ended
    },
  }
}

function openSpawner(): Spawner {
  const dir = mkdtempSync(join(tmpdir(), FOLDER_PREFIX))
  const removeDir = (): void => rmSync(dir, { recursive: true, force: true })
  process.once('exit', removeDir)
  const socketPath = join(dir, SOCKET_NAME)
  const spares: Connection[] = []
  const opening = new Set<Socket>()
  const programs = new Map<number, RelayedProgram>()
  const child = fork(PROCESS_FILE, [socketPath], {
    execArgv: PROCESS_OPTIONS,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const close = (): void => {
    process.off('exit', removeDir)
    if (child.connected) child.disconnect()
    for (const { socket } of spares.splice(0)) socket.destroy()
    for (const socket of opening) socket.destroy()
    for (const program of programs.values()) abandon(program)
    programs.clear()
    removeDir()
  }
  const opened = { process: child, socketPath, spares, opening, programs, close }
  child.on('message', (news: SpawnNews) => (news.kind === 'listening' ? connectSpares(opened) : note(programs, news)))
  return opened
}

/** Keeps connections to the process ready, each of which begins with its number. */
function connectSpares({ process: child, spares, socketPath, opening }: Spawner): void {
  const missing = SPARE_CONNECTIONS - spares.length - opening.size
  for (let count = Math.min(missing, CONNECTIONS_AT_ONCE); count > 0; count -= 1) {
    const socket = connectProgram(socketPath)
    opening.add(socket)
    const readNumber = (): void => {
      const head = socket.read(4) as Buffer | null
      if (head === null) return
      socket.off('readable', readNumber)
      opening.delete(socket)
      if (child.connected) spares.push({ number: head.readUInt32LE(), socket })
      else socket.destroy()
    }
    socket.on('readable', readNumber)
    // The process has ended.
    socket.once('error', () => socket.destroy()).once('close', () => opening.delete(socket))
  }
}

function orderProgram(
  opened: Spawner,
  command: ChildCommand,
  descriptors: readonly ProgramDescriptor[],
): RelayedProgram {
  const { process: child, spares, programs } = opened
  const connections = descriptors.map((descriptor) => (descriptor === 'pipe' ? (spares.shift() ?? null) : null))
  const id = (lastId += 1)
  const program = new RelayedProgram(
    command.program,
    connections.map((connection) => connection?.socket ?? null),
  )
  programs.set(id, program)
  const order: SpawnOrder = {
    id,
    command,
    descriptors: descriptors.map((descriptor, index) =>
      descriptor === 'pipe' ? (connections[index]?.number ?? 'ignore') : descriptor,
    ),
  }
  child.send(order, (error) => {
    if (error !== null && programs.delete(id)) program.fail(error)
  })
  connectSpares(opened)
  return program
}

function note(programs: Map<number, RelayedProgram>, news: Exclude<SpawnNews, { kind: 'listening' }>): void {
  const program = programs.get(news.id)
  if (program === undefined) return
  if (news.kind === 'started') {
    program.start(news.pid)
    return
  }
  programs.delete(news.id)
  // Later, because code that awaits the start adds its listeners first.
  if (news.kind === 'ended') setImmediate(() => program.end(news.code, news.signal))
  else program.fail(Object.assign(new Error(news.message), { code: news.code }))
}

/** The news of its end will not arrive. */
function abandon(program: RelayedProgram): void {
  if (program.pid !== undefined) killGroup(program.pid)
  program.fail(new Error('the process that starts programs has ended'))
}
