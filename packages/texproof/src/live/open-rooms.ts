/**
 * Rooms: the people who edit a file of a branch at the same time, and its draft (ADR 37). The texts are in a worker
 * thread. Every accepted change is stored before it is acknowledged and sent to the others, so nobody sees what a crash
 * could lose.
 */
import { createHash } from 'node:crypto'

import { createWorkerPool } from '@texproof/platex/worker'
import type { TaskOutcome } from '@texproof/platex/worker'
import type { Logger } from 'pino'

import type { Store } from '../store/store.ts'
import type { RoomSource, RoomTasks } from './room-thread.ts'
import { ignoreLost, nameOf, RoomLost, toAuthors, wake } from './room.ts'
import type { Member, Room } from './room.ts'
import { roomLimits } from './rooms.ts'
import type { CloseReason, Person, RoomFile, RoomPlace, Rooms, SharedDraft } from './rooms.ts'
import { sharedTextLimits } from './shared-text-limits.ts'
import { createRoomWriter } from './write-rooms.ts'

const APPLY_LIMIT_MS = 2_000
const OPEN_LIMIT_MS = 20_000
/** A user whose update took too long has to wait. */
const BLOCKED_MS = 60_000
const SWEEP_EVERY_MS = 5_000
/** A room without members closes. The page that was just opened connects within this time. */
const CLOSE_AFTER_MS = 30_000
/** Stored changes after which they are merged into one state. */
const COMPACT_AFTER = 500
/** History of an unchanged text beyond which it begins again. */
const MAX_UNCHANGED_STATE_BYTES = 4_000_000
/** Unchanged drafts are kept for browsers that were offline. */
const KEEP_UNCHANGED_MS = 7 * 86_400_000
const COLORS = 8
const PEOPLE_AFTER_MS = 100
const REMOVE_EVERY_MS = 3_600_000

/** Ends of the thread that an update has caused. */
const HARMFUL: ReadonlySet<string> = new Set(['timed-out', 'out-of-memory'])

/** Opens the rooms; the thread starts with the first. */
export function openRooms({ store, log }: { readonly store: Pick<Store, 'drafts'>; readonly log: Logger }): Rooms {
  const pool = createWorkerPool<RoomTasks>(new URL('room-thread.ts', import.meta.url), {
    threads: 1,
    memoryLimitMb: 512,
    maxQueued: 20_000,
    maxQueuedPerRequester: 2_000,
    // The texts are in the thread: it never ends for lack of use.
    idleLimitMs: 2 ** 31 - 1,
  })
  const rooms = new Map<string, Promise<Room | null>>()
  const opened = new Set<Room>()
  const blocked = new Map<string, number>()
  const { accept, whenStored, ...writer } = createRoomWriter({
    drafts: store.drafts,
    log,
    opened,
    onStored(room) {
      if (room.storedRevision - room.compactedRevision >= COMPACT_AFTER) void compact(room).catch(ignoreLost)
    },
    onGone: (room) => forget(room, 'restart'),
  })
  let roomCount = 0
  let isClosed = false
  let removedAt = 0
  const sweep = setInterval(() => closeUnused(), SWEEP_EVERY_MS).unref()

  async function run<Name extends keyof RoomTasks & string>(
    room: Room,
    name: Name,
    input: Omit<Parameters<RoomTasks[Name]>[0], 'room'>,
    timeLimitMs = APPLY_LIMIT_MS,
  ): Promise<Awaited<ReturnType<RoomTasks[Name]>>> {
    const call = { room: room.name, ...input } as Parameters<RoomTasks[Name]>[0]
    const outcome: TaskOutcome<Awaited<ReturnType<RoomTasks[Name]>>> = await pool.run(name, call, {
      requester: room.name,
      timeLimitMs,
    })
    if (outcome.kind === 'done') return outcome.value
    // The thread has ended, with the texts of all rooms.
    if (HARMFUL.has(outcome.kind)) for (const other of opened) lose(other, outcome.kind)
    else lose(room, outcome.kind === 'failed' ? outcome.error : outcome.kind)
    throw new RoomLost(outcome.kind)
  }

  function lose(room: Room, cause: unknown): void {
    if (!opened.has(room)) return
    if (!isClosed) log.warn({ component: 'live', room: room.key, cause: String(cause) }, 'a room is opened again')
    forget(room, 'restart')
  }

  function forget(room: Room, reason: CloseReason): void {
    opened.delete(room)
    const name = nameOf(room.key)
    const current = rooms.get(name)
    void current?.then((found) => {
      if (found === room && rooms.get(name) === current) rooms.delete(name)
    })
    for (const { connection } of room.members) connection.close(reason)
    room.members.clear()
    wake(room)
  }

  async function find({ key, readFile }: RoomPlace, { isFollowing = true } = {}): Promise<Room | null> {
    const name = nameOf(key)
    const known = rooms.get(name)
    const room = known === undefined ? null : await known
    if (room !== null && opened.has(room)) {
      room.usedAt = Date.now()
      if (isFollowing) await follow(room, readFile)
      return room
    }
    if (known !== undefined && rooms.get(name) === known) rooms.delete(name)
    const other = rooms.get(name)
    if (other !== undefined) return other
    if (opened.size >= roomLimits.rooms) throw new RoomLost('too many rooms')
    const opening = open({ key, readFile })
    rooms.set(name, opening)
    const drop = (): void => {
      if (rooms.get(name) === opening) rooms.delete(name)
    }
    opening.then((made) => made === null && drop(), drop)
    return opening
  }

  async function open({ key, readFile }: RoomPlace): Promise<Room | null> {
    const stored = await store.drafts.find(key)
    const file = stored?.isChanged === true ? null : await readFile()
    if (stored === null && file === null) return null
    const epoch =
      stored?.epoch ??
      createHash('sha256')
        .update(file?.text ?? '')
        .digest('hex')
        .slice(0, 32)
    const source: RoomSource =
      stored === null
        ? { kind: 'text', text: file?.text ?? '', clientId: Number.parseInt(epoch.slice(0, 8), 16) }
        : { kind: 'stored', state: stored.state, updates: stored.updates }
    roomCount += 1
    const name = `${key.repositoryId}-${roomCount}`
    const outcome = await pool.run('open', { room: name, source }, { requester: name, timeLimitMs: OPEN_LIMIT_MS })
    if (outcome.kind !== 'done') throw new RoomLost(outcome.kind)
    const { text, state } = outcome.value
    const revision = stored?.revision ?? 0
    const room: Room = {
      name,
      key,
      epoch,
      initialState: state,
      members: new Set(),
      authors: new Map(stored?.authors.map(({ userId, revision: last }) => [userId, last])),
      newAuthors: new Map(),
      id: stored?.id ?? null,
      openedId: stored?.openedId ?? file?.commitId ?? '',
      isChanged: stored?.isChanged ?? false,
      length: text.length,
      revision,
      storedRevision: revision,
      compactedRevision: revision - (stored?.updates.length ?? 0),
      updatedAt: stored?.updatedAt ?? Date.now(),
      usedAt: Date.now(),
      pending: [],
      messages: [],
      committedRevision: null,
      isDirty: false,
      isStoring: false,
      peopleTimer: undefined,
      waiting: [],
    }
    opened.add(room)
    if (file !== null && stored !== null) await moveTo(room, file, text)
    return room
  }

  /** An unchanged text follows its branch. */
  async function follow(room: Room, readFile: RoomPlace['readFile']): Promise<void> {
    if (room.isChanged) return
    const file = await readFile()
    if (file === null || file.commitId === room.openedId || room.isChanged) return
    const { text } = await run(room, 'read', {})
    if (!room.isChanged) await moveTo(room, file, text)
  }

  async function moveTo(room: Room, file: RoomFile, text: string): Promise<void> {
    room.openedId = file.commitId
    if (file.text === text) return
    const { update, text: now } = await run(room, 'replace', { before: null, after: file.text })
    accept(room, { update })
    room.length = now.length
  }

  async function compact(room: Room): Promise<void> {
    const { id, storedRevision: revision } = room
    if (id === null || revision === room.compactedRevision) return
    room.compactedRevision = revision
    const { state } = await run(room, 'read', {}, OPEN_LIMIT_MS)
    await store.drafts.compact(id, { state, revision })
    if (!room.isChanged && room.members.size === 0 && state.length > MAX_UNCHANGED_STATE_BYTES)
      await store.drafts.remove(id)
  }

  function closeUnused(): void {
    const now = Date.now()
    for (const [userId, until] of blocked) if (until < now) blocked.delete(userId)
    for (const room of opened)
      if (room.members.size === 0 && !room.isDirty && now - room.usedAt > CLOSE_AFTER_MS) void closeRoom(room)
    if (now - removedAt < REMOVE_EVERY_MS) return
    removedAt = now
    void store.drafts.removeUnchanged(now - KEEP_UNCHANGED_MS).catch((error: unknown) => {
      if (!isClosed) log.error({ component: 'live', err: error }, 'remove unchanged drafts')
    })
  }

  async function closeRoom(room: Room): Promise<void> {
    // Before the room is closed, for the thread ends with the last one.
    const compacting = compact(room).catch(ignoreLost)
    await compacting
    if (room.members.size > 0 || room.isDirty) return
    forget(room, 'ended')
    await pool.run('close', { room: room.name }, { requester: room.name })
  }

  /** Whether the user may begin another draft. */
  async function mayBegin(room: Room, userId: string): Promise<boolean> {
    if (room.isChanged) return true
    const { count, bytes } = await store.drafts.measure(userId)
    return count < roomLimits.drafts && bytes < roomLimits.draftBytes
  }

  async function toDraft(room: Room): Promise<SharedDraft> {
    const { revision, openedId, isChanged, updatedAt } = room
    const authors = toAuthors(room.authors)
    const { text, state } = await run(room, 'read', {}, OPEN_LIMIT_MS)
    await whenStored(room)
    return { ...room.key, epoch: room.epoch, text, state, revision, openedId, isChanged, updatedAt, authors }
  }

  /** The cursors of many people move at once. */
  function sendPeople(room: Room): void {
    room.peopleTimer ??= setTimeout(() => {
      room.peopleTimer = undefined
      sendPeopleNow(room)
    }, PEOPLE_AFTER_MS).unref()
  }

  function sendPeopleNow(room: Room): void {
    const people = [...room.members].map(({ connection: { clientId, name }, color, cursor }): Person => ({
      clientId,
      name,
      color,
      cursor,
    }))
    for (const { connection } of room.members) connection.send({ kind: 'people', people })
  }

  async function applyOf(room: Room, member: Member, update: Uint8Array): Promise<void> {
    const { userId } = member.connection
    if (!opened.has(room)) return
    if (!(await mayBegin(room, userId))) return member.connection.close('too-many-drafts')
    const outcome = await run(room, 'apply', { update, userId }).catch((error: unknown) => {
      if (error instanceof RoomLost && HARMFUL.has(error.cause)) blocked.set(userId, Date.now() + BLOCKED_MS)
      throw error
    })
    if (outcome.kind === 'refused') return member.connection.close(outcome.reason)
    room.length = outcome.length
    accept(room, { update: outcome.update, member, userId })
  }

  return {
    async read(place) {
      const room = await find(place)
      return room === null ? null : toDraft(room)
    },

    async join(place, connection) {
      const { userId } = connection
      const members = [...opened].flatMap((room) => [...room.members])
      const own = members.filter((member) => member.connection.userId === userId)
      const isFull = members.length >= roomLimits.members || own.length >= roomLimits.membersOfUser
      const room = isFull || blocked.has(userId) ? null : await find(place)
      if (room === null || room.members.size >= roomLimits.membersOfRoom) {
        connection.close(room === null && !isFull && !blocked.has(userId) ? 'gone' : 'too-many-connections')
        return null
      }
      const taken = new Set([...room.members].map(({ color }) => color))
      const color = Array.from({ length: COLORS }, (_, index) => index).find((index) => !taken.has(index)) ?? 0
      const member: Member = { connection, color, cursor: null, storedCount: 0 }
      room.members.add(member)
      sendPeople(room)
      return {
        epoch: room.epoch,
        async missing(vector) {
          const update = await run(room, 'missing', { vector })
          await whenStored(room)
          return update
        },
        apply: (update) => applyOf(room, member, update).catch(ignoreLost),
        moveCursor(cursor) {
          member.cursor = cursor
          sendPeople(room)
        },
        leave() {
          if (!room.members.delete(member)) return
          room.usedAt = Date.now()
          sendPeople(room)
        },
      }
    },

    async replace(place, { userId, text, baseRevision, openedId }) {
      const room = await find(place)
      if (room === null) return { kind: 'conflict', draft: null }
      if (room.revision !== baseRevision) return { kind: 'conflict', draft: await toDraft(room) }
      if (text.length > sharedTextLimits.length) return { kind: 'refused', reason: 'too-long' }
      if (!(await mayBegin(room, userId))) return { kind: 'refused', reason: 'too-many-drafts' }
      const { update } = await run(room, 'replace', { before: null, after: text })
      room.length = text.length
      room.openedId = openedId ?? room.openedId
      accept(room, { update, userId })
      const { revision } = room
      await whenStored(room)
      return { kind: 'saved', revision }
    },

    async settle(place, { draft, file, by, isDiscarded }) {
      const room = await find(place, { isFollowing: false })
      if (room === null) return
      // An unchanged text has followed the commit already.
      if (draft !== null && draft.openedId !== file.commitId && room.openedId === file.commitId) return
      const before = draft === null || draft.revision === room.revision ? null : draft.state
      const committedRevision = draft?.revision ?? room.revision
      const { update, text } = await run(room, 'replace', { before, after: file.text }, OPEN_LIMIT_MS)
      room.length = text.length
      room.openedId = file.commitId
      room.isChanged = text !== file.text
      for (const [userId, revision] of room.authors) if (revision <= committedRevision) room.authors.delete(userId)
      for (const [userId, revision] of room.newAuthors)
        if (revision <= committedRevision) room.newAuthors.delete(userId)
      room.committedRevision = committedRevision
      room.messages.push({ kind: 'committed', by, openedId: file.commitId, isDiscarded })
      accept(room, { update })
      await whenStored(room)
    },

    async close() {
      isClosed = true
      clearInterval(sweep)
      for (const { members } of opened) for (const { connection } of members) connection.close('restart')
      await writer.close()
      await pool.close()
    },
  }
}
