/**
 * The protocol of a live connection. A browser sends one greeting in JSON, then updates of Yjs as binary messages and
 * its cursor in JSON; it receives updates, acknowledgments and the people in the room. Names and colors come from the
 * server. Every message is untrusted and bounded; an invalid one ends its own connection only.
 */
import type { RawData, WebSocket } from 'ws'

import type { CloseReason, Cursor, RoomMember, RoomPlace, Rooms, Seat } from './rooms.ts'

/** A message at most: a text of a megabyte, pasted. */
export const MAX_MESSAGE_BYTES = 3_000_000

const GREETING_WITHIN_MS = 10_000
const CHECK_EVERY_MS = 2_000
const PING_EVERY_MS = 30_000
/** A client that does not read its messages. */
const MAX_UNREAD_BYTES = 8_000_000
/** Messages that wait to be applied before the connection pauses. */
const MAX_WAITING = 64
/** Tokens of two buckets: messages, and their bytes. */
const RATES = {
  messages: { perSecond: 50, burst: 400 },
  bytes: { perSecond: 500_000, burst: 6_000_000 },
} as const

/** Close codes of a connection, which browsers receive. */
const CODES: Readonly<Record<CloseReason | 'signed-out' | 'no-access' | 'flood', number>> = {
  ended: 1000,
  restart: 1012,
  'too-many-connections': 1013,
  malformed: 4400,
  'signed-out': 4401,
  'no-access': 4403,
  gone: 4404,
  'too-long': 4413,
  'too-many-tabs': 4420,
  'too-many-drafts': 4422,
  flood: 4429,
  'too-much-history': 4431,
}

/** Close code that browsers send when the user leaves the page. */
const GOING_AWAY = 1001

/** The user of a connection, and whether the connection may stay. */
export interface SocketUser {
  readonly userId: string
  readonly name: string
  readonly place: RoomPlace
  check(): Promise<'ok' | 'signed-out' | 'no-access'>
}

/** Serves a connection until it ends. */
export function serveSocket(socket: WebSocket, rooms: Rooms, user: SocketUser): void {
  let seat: Promise<Seat | null> | null = null
  let waiting = 0
  let isAlive = true
  let work = Promise.resolve()
  const mayReceive = createBuckets()
  const end = (reason: keyof typeof CODES): void => socket.close(CODES[reason], reason)

  const receive = async (bytes: Buffer, isBinary: boolean): Promise<void> => {
    if (seat === null) {
      const greeting = isBinary ? null : readGreeting(bytes)
      if (greeting === null) return end('malformed')
      seat = joinRoom(socket, { rooms, user, greeting })
      await seat
      return
    }
    const joined = await seat
    if (joined === null) return
    if (isBinary) return joined.apply(new Uint8Array(bytes))
    const cursor = readCursor(bytes)
    if (cursor === undefined) end('malformed')
    else joined.moveCursor(cursor)
  }

  socket.on('message', (content: RawData, isBinary: boolean) => {
    const bytes = content as Buffer // The default `binaryType` of ws.
    if (!mayReceive(bytes.length)) return end('flood')
    waiting += 1
    if (waiting >= MAX_WAITING) socket.pause()
    work = work
      .then(() => (socket.readyState === socket.OPEN ? receive(bytes, isBinary) : undefined))
      .catch(() => end('restart')) // The host is closing, or the thread has failed: the browser connects again.
      .finally(() => {
        waiting -= 1
        if (waiting < MAX_WAITING && socket.isPaused) socket.resume()
      })
  })
  socket.on('pong', () => (isAlive = true))
  // ws closes the connection after an error, such as a message that is too large.
  socket.on('error', () => {})

  const greetingTimer = setTimeout(() => {
    if (seat === null) end('malformed')
  }, GREETING_WITHIN_MS)
  const checks = setInterval(() => {
    user.check().then(
      (answer) => answer !== 'ok' && end(answer),
      () => {}, // The database is locked: the next check decides.
    )
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
  }, CHECK_EVERY_MS)
  const pings = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_EVERY_MS)
  socket.on('close', (code) => {
    clearTimeout(greetingTimer)
    clearInterval(checks)
    clearInterval(pings)
    seat?.then(
      (joined) => joined?.leave(code !== GOING_AWAY),
      () => {}, // It has no seat.
    )
  })
}

/** The first message of a browser. */
interface Greeting {
  readonly clientId: number
  readonly epoch: string
  readonly vector: Uint8Array
}

async function joinRoom(
  socket: WebSocket,
  { rooms, user, greeting }: { readonly rooms: Rooms; readonly user: SocketUser; readonly greeting: Greeting },
): Promise<Seat | null> {
  const send = (message: object): void => socket.send(JSON.stringify(message))
  const member: RoomMember = {
    userId: user.userId,
    name: user.name,
    clientId: greeting.clientId,
    sendUpdate: (update) => socket.send(update),
    send,
    close: (reason) => socket.close(CODES[reason], reason),
  }
  const seat = await rooms.join(user.place, member)
  if (seat === null) return null
  if (seat.epoch !== greeting.epoch) {
    send({ kind: 'reset' })
    socket.close(CODES.ended, 'reset')
    return seat
  }
  const update = await seat.missing(greeting.vector)
  if (update === null) socket.close(CODES.malformed, 'malformed')
  else {
    socket.send(update)
    send({ kind: 'ready' })
  }
  if (socket.readyState !== socket.OPEN) seat.leave(true)
  return seat
}

function readGreeting(bytes: Buffer): Greeting | null {
  const value = readJson(bytes, 100_000)
  const { kind, clientId, epoch, vector } = value
  if (kind !== 'greeting' || !Number.isSafeInteger(clientId) || typeof epoch !== 'string') return null
  if (typeof vector !== 'string' || Number(clientId) < 0 || Number(clientId) > 2 ** 32) return null
  return { clientId: Number(clientId), epoch, vector: new Uint8Array(Buffer.from(vector, 'base64')) }
}

/** undefined = malformed. */
function readCursor(bytes: Buffer): Cursor | null | undefined {
  const { kind, anchor, head } = readJson(bytes, 1_000)
  if (kind !== 'cursor') return undefined
  if (anchor === null && head === null) return null
  return isPosition(anchor) && isPosition(head) ? { anchor, head } : undefined
}

function isPosition(value: unknown): value is string {
  return typeof value === 'string' && /^[\w+/=]{0,120}$/.test(value)
}

/** The fields of a message; none if it is not an object, or too large. */
function readJson(bytes: Buffer, maxBytes: number): Readonly<Record<string, unknown>> {
  if (bytes.length > maxBytes) return {}
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // Not JSON, which is refused as a message without fields.
  }
}

function createBuckets(): (byteCount: number) => boolean {
  let at = performance.now()
  let messages: number = RATES.messages.burst
  let bytes: number = RATES.bytes.burst
  return (byteCount) => {
    const now = performance.now()
    const seconds = (now - at) / 1_000
    at = now
    messages = Math.min(RATES.messages.burst, messages + seconds * RATES.messages.perSecond) - 1
    bytes = Math.min(RATES.bytes.burst, bytes + seconds * RATES.bytes.perSecond) - byteCount
    return messages >= 0 && bytes >= 0
  }
}
