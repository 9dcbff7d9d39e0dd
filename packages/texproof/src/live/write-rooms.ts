/** Stores the accepted changes of all rooms together, then acknowledges them and sends them to the others. */
import type { Logger } from 'pino'

import { createFaultLog } from '../base/log/fault-log.ts'
import type { DraftAppend } from '../store/repositories/drafts.ts'
import type { Store } from '../store/store.ts'
import { RoomLost, toAuthors, wake, whenChanged } from './room.ts'
import type { Member, Pending, Room } from './room.ts'
import type { RoomMessage } from './rooms.ts'

/** Changes of all rooms within this time are stored together; the first one after a pause is stored at once. */
const STORE_EVERY_MS = 50
const RETRY_AFTER_MS = 1_000

/** An accepted change of a room's text. */
interface Change {
  /** null = nothing new. */
  readonly update: Uint8Array | null
  /** Where it came from; null = the server. */
  readonly member?: Member | null
  /** User who made the change; null = a commit of the branch. */
  readonly userId?: string | null
}

interface RoomWriterDeps {
  readonly drafts: Pick<Store['drafts'], 'append'>
  readonly log: Logger
  /** All rooms. */
  readonly opened: ReadonlySet<Room>
  onStored(room: Room): void
  /** The draft was removed, or another server has changed it. */
  onGone(room: Room): void
}

/** Writes the drafts of rooms. */
export interface RoomWriter {
  /** Schedules a change to be stored. */
  accept(room: Room, change: Change): void
  /** Resolves when the changes made so far are stored. */
  whenStored(room: Room): Promise<void>
  /** Stores all remaining changes. */
  close(): Promise<void>
}

/** Retries for as long as the database fails: nothing is acknowledged until then. */
export function createRoomWriter({ drafts, log, opened, onStored, onGone }: RoomWriterDeps): RoomWriter {
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> | null = null
  let storedAt = -STORE_EVERY_MS
  const faults = createFaultLog(log, 'store drafts', { component: 'live' })

  function accept(room: Room, { update, member = null, userId = null }: Change): void {
    if (update !== null) {
      room.revision += 1
      room.updatedAt = Date.now()
    }
    if (userId !== null && update !== null) {
      room.isChanged = true
      room.authors.set(userId, room.revision)
      room.newAuthors.set(userId, room.revision)
    }
    // Even if the update changes nothing: its sender waits for the acknowledgment.
    room.pending.push({ update: update ?? new Uint8Array(), member })
    room.isDirty = true
    scheduleNext()
  }

  function scheduleNext(): void {
    schedule(Math.max(0, storedAt + STORE_EVERY_MS - performance.now()))
  }

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void storeAll()
    }, afterMs)
  }

  function storeAll(): Promise<void> {
    if (storing === null) storedAt = performance.now()
    storing ??= storeBatch().finally(() => {
      storing = null
      if ([...opened].some(({ isDirty }) => isDirty)) scheduleNext()
    })
    return storing
  }

  async function storeBatch(): Promise<void> {
    const batch = [...opened]
      .filter(({ isDirty }) => isDirty)
      .map((room) => ({ room, pending: room.pending, messages: room.messages, change: toAppend(room) }))
    for (const { room } of batch) {
      room.pending = []
      room.messages = []
      room.newAuthors.clear()
      room.committedRevision = null
      room.isDirty = false
      room.isStoring = true
    }
    let ids: readonly (number | null)[]
    try {
      ids = await drafts.append(batch.map(({ change }) => change))
    } catch (error) {
      faults.fail(error)
      for (const { room, pending, messages, change } of batch) {
        room.pending.unshift(...pending)
        room.messages.unshift(...messages)
        for (const { userId, revision } of change.authors)
          if (!room.newAuthors.has(userId)) room.newAuthors.set(userId, revision)
        room.committedRevision ??= change.committedRevision ?? null
        room.isDirty = true
        room.isStoring = false
      }
      schedule(RETRY_AFTER_MS)
      return
    }
    faults.succeed()
    for (const [index, { room, pending, messages, change }] of batch.entries()) {
      room.id = ids[index] ?? null
      // Removed, or another server has changed it: it is read again.
      if (room.id === null) onGone(room)
      else publish(room, { pending, messages, revision: change.revision })
    }
  }

  /** Acknowledges stored changes and sends them to the others. */
  function publish(
    room: Room,
    stored: {
      readonly pending: readonly Pending[]
      readonly messages: readonly RoomMessage[]
      readonly revision: number
    },
  ): void {
    room.storedRevision = stored.revision
    room.isStoring = false
    const senders = new Set<Member>()
    for (const { update, member } of stored.pending) {
      if (member !== null) {
        member.storedCount += 1
        senders.add(member)
      }
      if (update.length === 0) continue
      for (const other of room.members) if (other !== member) other.connection.sendUpdate(update)
    }
    for (const sender of senders)
      if (room.members.has(sender)) sender.connection.send({ kind: 'stored', count: sender.storedCount })
    for (const message of stored.messages) for (const { connection } of room.members) connection.send(message)
    wake(room)
    onStored(room)
  }

  async function whenStored(room: Room): Promise<void> {
    while (room.isDirty || room.isStoring) {
      if (!opened.has(room)) throw new RoomLost('closed')
      await whenChanged(room)
    }
  }

  async function close(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await storing
    await storeAll()
    clearTimeout(timer)
  }

  return { accept, whenStored, close }
}

function toAppend(room: Room): DraftAppend {
  return {
    key: room.place.key,
    id: room.id,
    epoch: room.epoch,
    state: room.initialState,
    openedId: room.openedId,
    isChanged: room.isChanged,
    sizeBytes: room.length,
    updates: room.pending.flatMap(({ update }) => (update.length === 0 ? [] : [update])),
    revision: room.revision,
    authors: toAuthors(room.newAuthors),
    ...(room.committedRevision === null ? {} : { committedRevision: room.committedRevision }),
  }
}
