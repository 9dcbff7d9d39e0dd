/**
 * Rooms: the people who edit a file of a branch at the same time, and its draft. The texts are in a worker thread; this
 * file stores every accepted change in the database, then acknowledges it and sends it to the others, so nobody sees
 * what a crash could lose (ADR 37).
 */
import { createHash } from 'node:crypto'

import { createWorkerPool } from '@texproof/platex/worker'
import type { TaskOutcome } from '@texproof/platex/worker'
import type { Logger } from 'pino'

import { TooManyWaiting } from '../base/limiter.ts'
import type { DraftAppend, DraftAuthor, DraftKey, StoredDraft } from '../store/repositories/drafts.ts'
import type { Store } from '../store/store.ts'
import type { RoomSource, RoomTasks } from './room-thread.ts'
import { sharedTextLimits } from './shared-text.ts'
import type { UpdateRefusal } from './shared-text.ts'

/** Limits of all rooms of a host. */
export const roomLimits = {
  rooms: 500,
  members: 500,
  membersOfUser: 20,
  membersOfRoom: 50,
  /** Changed drafts that one user has begun. */
  drafts: 200,
  draftBytes: 20_000_000,
} as const

/** Changes of all rooms are stored together. */
const STORE_AFTER_MS = 50
const RETRY_AFTER_MS = 1_000
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

/** A file of a branch, and how to read it at the head of the branch. */
export interface RoomPlace {
  readonly key: DraftKey
  /** null = there is no such text. */
  readonly readFile: () => Promise<RoomFile | null>
}

/** A text at a commit. */
export interface RoomFile {
  readonly commitId: string
  readonly text: string
}

/** The text of a room and what it is based on. */
export interface SharedDraft extends Omit<StoredDraft, 'updates' | 'id'> {
  readonly text: string
}

/** A person in a room, as the others see them. */
export interface Person {
  /** Of Yjs; differs for every opened page. */
  readonly clientId: number
  readonly name: string
  /** 0 to 7. */
  readonly color: number
  readonly cursor: Cursor | null
}

/** Positions of Yjs, base64. */
export interface Cursor {
  readonly anchor: string
  readonly head: string
}

/** A connection of a user. */
export interface RoomMember {
  readonly userId: string
  readonly name: string
  readonly clientId: number
  sendUpdate(update: Uint8Array): void
  send(message: RoomMessage): void
  close(reason: CloseReason): void
}

/** What a room tells its members. */
export type RoomMessage =
  /** `count` = updates of this connection that are stored. */
  | { readonly kind: 'stored'; readonly count: number }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  | { readonly kind: 'committed'; readonly by: string; readonly openedId: string; readonly isDiscarded: boolean }

/** Why a room ends a connection. */
export type CloseReason = UpdateRefusal | 'too-many-drafts' | 'too-many-connections' | 'restart' | 'gone' | 'ended'

/** A seat in a room. */
export interface Seat {
  readonly epoch: string
  /** What a browser with this state vector does not have yet; null for a malformed vector. */
  missing(vector: Uint8Array): Promise<Uint8Array | null>
  /** Applies an update. Its acknowledgment follows as a message. */
  apply(update: Uint8Array): Promise<void>
  moveCursor(cursor: Cursor | null): void
  leave(): void
}

/** The rooms of a host. */
export interface Rooms {
  /** The draft of a file, or its text; null = there is neither. */
  read(place: RoomPlace): Promise<SharedDraft | null>
  join(place: RoomPlace, member: RoomMember): Promise<Seat | null>
  /** Replaces the text, unless it has another revision. */
  replace(
    place: RoomPlace,
    change: { readonly userId: string; readonly text: string; readonly baseRevision: number },
  ): Promise<ReplaceOutcome>
  /** Ends the draft that `draft` was: the text becomes that of the commit. Changes made since stay. */
  settle(place: RoomPlace, end: DraftEnd): Promise<void>
  close(): Promise<void>
}

/** `conflict` = the draft was changed meanwhile. */
export type ReplaceOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly draft: SharedDraft | null }
  | { readonly kind: 'refused'; readonly reason: CloseReason }

/** How a draft ends. */
export interface DraftEnd {
  /** The draft that was committed; null = whatever it is now. */
  readonly draft: Pick<SharedDraft, 'state' | 'revision' | 'openedId'> | null
  readonly file: RoomFile
  /** Name of the user. */
  readonly by: string
  readonly isDiscarded: boolean
}

interface Pending {
  readonly update: Uint8Array
  readonly member: Member | null
}

interface Member {
  readonly connection: RoomMember
  readonly color: number
  cursor: Cursor | null
  storedCount: number
}

interface Room {
  readonly name: string
  readonly key: DraftKey
  readonly epoch: string
  /** State when the room opened, for the row of a new draft. */
  readonly initialState: Uint8Array
  readonly members: Set<Member>
  readonly authors: Map<string, number>
  /** Authors whose changes are not stored yet. */
  readonly newAuthors: Map<string, number>
  id: number | null
  openedId: string
  isChanged: boolean
  length: number
  /** With changes that are not stored yet. */
  revision: number
  storedRevision: number
  compactedRevision: number
  updatedAt: number
  usedAt: number
  pending: Pending[]
  messages: RoomMessage[]
  committedRevision: number | null
  /** Whether there is something to store. */
  isDirty: boolean
  /** Whether a transaction for it has not ended. */
  isStoring: boolean
  peopleTimer: NodeJS.Timeout | undefined
  waiting: (() => void)[]
}

/** The thread has ended, or is overloaded: the room opens again from the database. */
class RoomLost extends TooManyWaiting {
  override readonly cause: string

  constructor(cause: string) {
    super()
    this.cause = cause
  }
}

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
  let roomCount = 0
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> | null = null
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
    accept(room, update, null)
    room.length = now.length
  }

  function accept(room: Room, update: Uint8Array | null, member: Member | null, userId: string | null = null): void {
    if (update !== null) {
      room.revision += 1
      room.updatedAt = Date.now()
    }
    if (userId !== null && update !== null) {
      room.isChanged = true
      room.authors.set(userId, room.revision)
      room.newAuthors.set(userId, room.revision)
    }
    // Also without anything new: its sender waits for the acknowledgment.
    room.pending.push({ update: update ?? new Uint8Array(), member })
    room.isDirty = true
    schedule(STORE_AFTER_MS)
  }

  function schedule(afterMs: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      void storeAll()
    }, afterMs)
  }

  function storeAll(): Promise<void> {
    storing ??= storeBatch().finally(() => {
      storing = null
      if ([...opened].some(({ isDirty }) => isDirty)) schedule(STORE_AFTER_MS)
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
      ids = await store.drafts.append(batch.map(({ change }) => change))
    } catch (error) {
      log.error({ component: 'live', err: error }, 'store drafts')
      for (const { room, pending, messages, change } of batch) {
        room.pending.unshift(...pending)
        room.messages.unshift(...messages)
        for (const { userId, revision } of change.authors)
          if (!room.newAuthors.has(userId)) room.newAuthors.set(userId, revision)
        room.committedRevision ??= change.committedRevision ?? null
        room.isDirty = true
        room.isStoring = false
      }
      timer ??= setTimeout(() => {
        timer = undefined
        void storeAll()
      }, RETRY_AFTER_MS)
      return
    }
    for (const [index, { room, pending, messages, change }] of batch.entries()) {
      room.id = ids[index] ?? null
      // Removed, or another server has changed it: it is read again.
      if (room.id === null) forget(room, 'restart')
      else publish(room, { pending, messages, revision: change.revision })
    }
  }

  function toAppend(room: Room): DraftAppend {
    return {
      key: room.key,
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
    if (room.storedRevision - room.compactedRevision >= COMPACT_AFTER) void compact(room).catch(ignoreLost)
  }

  /** Resolves when the changes made so far are stored. */
  async function whenStored(room: Room): Promise<void> {
    while (room.isDirty || room.isStoring) {
      if (!opened.has(room)) throw new RoomLost('closed')
      await new Promise<void>((resolve) => {
        room.waiting.push(resolve)
      })
    }
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
    accept(room, outcome.update, member, userId)
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

    async replace(place, { userId, text, baseRevision }) {
      const room = await find(place)
      if (room === null) return { kind: 'conflict', draft: null }
      if (room.revision !== baseRevision) return { kind: 'conflict', draft: await toDraft(room) }
      if (text.length > sharedTextLimits.length) return { kind: 'refused', reason: 'too-long' }
      if (!(await mayBegin(room, userId))) return { kind: 'refused', reason: 'too-many-drafts' }
      const { update } = await run(room, 'replace', { before: null, after: text })
      room.length = text.length
      accept(room, update, null, userId)
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
      accept(room, update, null)
      await whenStored(room)
    },

    async close() {
      isClosed = true
      clearInterval(sweep)
      clearTimeout(timer)
      timer = undefined
      for (const { members } of opened) for (const { connection } of members) connection.close('restart')
      await storing
      await storeAll()
      clearTimeout(timer)
      await pool.close()
    },
  }
}

function ignoreLost(error: unknown): undefined {
  // The room is opened again from the database, and its members connect again.
  if (!(error instanceof RoomLost)) throw error
}

function toAuthors(authors: ReadonlyMap<string, number>): readonly DraftAuthor[] {
  return [...authors].map(([userId, revision]) => ({ userId, revision }))
}

function nameOf({ repositoryId, branch, path }: DraftKey): string {
  return JSON.stringify([repositoryId, branch, path])
}

function wake(room: Room): void {
  const { waiting } = room
  room.waiting = []
  for (const resolve of waiting) resolve()
}
