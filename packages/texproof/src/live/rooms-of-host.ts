import type { Logger } from 'pino'

import type { Store } from '../store/store.ts'
import type { RoomTexts } from './room-texts.ts'
import { nameOf, wake } from './room.ts'
import type { Room } from './room.ts'
import type { CloseReason } from './rooms.ts'
import type { RoomWriter } from './write-rooms.ts'

/** The rooms of a host, and what they share. */
export interface HostRooms {
  readonly drafts: Store['drafts']
  readonly log: Logger
  readonly texts: RoomTexts
  readonly writer: RoomWriter
  /** Rooms by name, including those that are being opened. */
  readonly byName: Map<string, Promise<Room | null>>
  readonly opened: Set<Room>
  /** Users whose update took too long → when they may connect again. */
  readonly blocked: Map<string, number>
  /** Rooms opened so far. */
  count: number
  isClosed: boolean
}

/** Closes a room whose text is lost; it is opened again from the database. */
export function loseRoom(host: HostRooms, room: Room, cause: unknown): void {
  if (!host.opened.has(room)) return
  if (!host.isClosed)
    host.log.warn({ component: 'live', room: room.place.key, cause: String(cause) }, 'a room is opened again')
  forgetRoom(host, room, 'restart')
}

/** Ends the connections of a room, which is opened again when it is needed. */
export function forgetRoom({ opened, byName }: HostRooms, room: Room, reason: CloseReason): void {
  opened.delete(room)
  const name = nameOf(room.place.key)
  const current = byName.get(name)
  void current?.then((found) => {
    if (found === room && byName.get(name) === current) byName.delete(name)
  })
  for (const { connection } of room.members) connection.close(reason)
  room.members.clear()
  wake(room)
}
