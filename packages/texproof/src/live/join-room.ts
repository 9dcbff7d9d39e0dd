import { findRoom } from './find-room.ts'
import { describeMissing } from './follow-branch.ts'
import { isHarmful } from './room-texts.ts'
import type { DraftKey } from '../store/repositories/drafts.ts'
import { ignoreLost, nameOf, RoomLost, wake, whenChanged } from './room.ts'
import type { Member, Room } from './room.ts'
import { roomLimits } from './rooms.ts'
import type { Person, RoomMember, RoomPlace, Seat, SentUpdates } from './rooms.ts'
import type { HostRooms } from './rooms-of-host.ts'

const COLORS = 8
const PEOPLE_AFTER_MS = 100
/** A user whose update took too long has to wait. */
const BLOCKED_MS = 60_000

/** Adds a connection to a room; null = it was closed instead. */
export async function joinRoom(host: HostRooms, place: RoomPlace, connection: RoomMember): Promise<Seat | null> {
  const { opened, blocked } = host
  const { userId } = connection
  const members = [...opened].flatMap((room) => [...room.members])
  const own = members.filter((member) => member.connection.userId === userId)
  const refusal =
    own.length >= roomLimits.membersOfUser
      ? 'too-many-tabs'
      : members.length >= roomLimits.members || blocked.has(userId)
        ? 'too-many-connections'
        : null
  const room = refusal === null ? await findRoom(host, place) : null
  if (room === null || room.members.size >= roomLimits.membersOfRoom) {
    connection.close(refusal ?? (room === null ? 'gone' : 'too-many-connections'))
    return null
  }
  const member: Member = { connection, color: chooseColor(room, userId), cursor: null, storedCount: 0 }
  room.members.add(member)
  sendPeople(room)
  // A browser that was offline does not know it.
  const missing = describeMissing(room)
  if (missing !== null) connection.send(missing)
  return createSeat(host, room, member)
}

/** The windows of a user have one color. */
function chooseColor({ members }: Room, userId: string): number {
  const own = [...members].find(({ connection }) => connection.userId === userId)
  if (own !== undefined) return own.color
  const taken = new Set([...members].map(({ color }) => color))
  return Array.from({ length: COLORS }, (_, index) => index).find((index) => !taken.has(index)) ?? 0
}

function createSeat(host: HostRooms, room: Room, member: Member): Seat {
  return {
    epoch: room.epoch,
    async missing(vector) {
      const update = await host.texts.run(room, 'missing', { vector })
      await host.writer.whenStored(room)
      return update
    },
    apply: (update) => applyUpdate(host, room, { member, update }).catch(ignoreLost),
    moveCursor(cursor) {
      member.cursor = cursor
      sendPeople(room)
    },
    leave(mayReturn) {
      if (!room.members.delete(member)) return
      wake(room)
      room.usedAt = Date.now()
      if (mayReturn && !host.isClosed) keepHistory(host, room)
      sendPeople(room)
    },
  }
}

async function applyUpdate(
  host: HostRooms,
  room: Room,
  { member, update }: { readonly member: Member; readonly update: Uint8Array },
): Promise<void> {
  const { userId } = member.connection
  if (!host.opened.has(room)) return
  if (!(await mayBeginDraft(host, room, userId))) return member.connection.close('too-many-drafts')
  const outcome = await host.texts.run(room, 'apply', { update, userId }).catch((error: unknown) => {
    if (error instanceof RoomLost && isHarmful(error.cause)) host.blocked.set(userId, Date.now() + BLOCKED_MS)
    throw error
  })
  if (outcome.kind === 'refused') return member.connection.close(outcome.reason)
  room.length = outcome.length
  host.writer.accept(room, { update: outcome.update, member, userId })
}

/**
 * Stores a text that nobody has changed, for browsers that were offline: their changes cannot be merged into another
 * history, and without a stored one, a push would begin it. A stored one is stored again, for as long as a new one.
 */
export function keepHistory({ writer }: HostRooms, room: Room): void {
  if (room.id === null || !room.isChanged) writer.accept(room, { update: null })
}

/** Whether the user may begin another draft, if the room has none. */
export async function mayBeginDraft({ drafts }: HostRooms, room: Room, userId: string): Promise<boolean> {
  if (room.isChanged) return true
  const { count, bytes } = await drafts.measure(userId)
  return count < roomLimits.drafts && bytes < roomLimits.draftBytes
}

/** See `Rooms.whenStored`. */
export async function whenUpdatesStored(
  { byName }: HostRooms,
  key: DraftKey,
  { userId, clientId, count }: SentUpdates,
  signal: AbortSignal,
): Promise<void> {
  const room = (await byName.get(nameOf(key))) ?? null
  const isSender = ({ connection }: Member): boolean => connection.userId === userId && connection.clientId === clientId
  const member = room === null ? undefined : [...room.members].find(isSender)
  if (room === null || member === undefined) return
  // The updates may be on their way through the thread, or the network.
  while (member.storedCount < count && room.members.has(member) && !signal.aborted) await whenChanged(room, signal)
}

/** The cursors of many people move at once. */
function sendPeople(room: Room): void {
  room.peopleTimer ??= setTimeout(() => {
    room.peopleTimer = undefined
    const people = [...room.members].map(({ connection: { clientId, userId, name }, color, cursor }): Person => ({
      clientId,
      userId,
      name,
      color,
      cursor,
    }))
    for (const { connection } of room.members) connection.send({ kind: 'people', people })
  }, PEOPLE_AFTER_MS).unref()
}
