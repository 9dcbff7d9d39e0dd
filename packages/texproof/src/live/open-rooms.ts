/**
 * Rooms: the people who edit a file of a branch at the same time, and its draft (ADR 37). The texts are in a worker
 * thread. Every accepted change is stored before it is acknowledged and sent to the others, so no one sees what a crash
 * could lose.
 */
import type { Logger } from 'pino'

import type { Store } from '../store/store.ts'
import { compactRoom, sweepRooms } from './close-rooms.ts'
import { findRoom } from './find-room.ts'
import { watchBranches } from './follow-branch.ts'
import { joinRoom, keepHistory, mayBeginDraft, whenUpdatesStored } from './join-room.ts'
import { openRoomTexts, WHOLE_LIMIT_MS } from './room-texts.ts'
import { toAuthors } from './room.ts'
import type { Room } from './room.ts'
import type { DraftEnd, Replacement, ReplaceOutcome, RoomPlace, Rooms, SharedDraft } from './rooms.ts'
import { forgetRoom, loseRoom } from './rooms-of-host.ts'
import type { HostRooms } from './rooms-of-host.ts'
import { sharedTextLimits } from './shared-text-limits.ts'
import { createRoomWriter } from './write-rooms.ts'

/** Stored changes after which they are merged into one state. */
const COMPACT_AFTER = 500

/** Opens the rooms; the thread starts with the first. */
export function openRooms(tools: { readonly store: Pick<Store, 'drafts'>; readonly log: Logger }): Rooms {
  const host = createHostRooms(tools)
  const sweep = sweepRooms(host)
  const watch = watchBranches(host)
  return {
    async read(place) {
      const room = await findRoom(host, place)
      return room === null ? null : toDraft(host, room)
    },
    async readText(place) {
      const room = await findRoom(host, place)
      if (room === null) return null
      const text = await host.texts.run(room, 'readText', {}, WHOLE_LIMIT_MS)
      await host.writer.whenStored(room)
      return text
    },
    whenStored: (key, sent, signal) => whenUpdatesStored(host, key, sent, signal),
    join: (place, connection) => joinRoom(host, place, connection),
    replace: (place, change) => replaceDraft(host, place, change),
    settle: (place, end) => settleDraft(host, place, end),
    async close() {
      host.isClosed = true
      sweep.stop()
      watch.stop()
      for (const room of host.opened) {
        if (room.members.size > 0) keepHistory(host, room)
        for (const { connection } of room.members) connection.close('restart')
      }
      await host.writer.close()
      await host.texts.end()
    },
  }
}

function createHostRooms({ store: { drafts }, log }: Parameters<typeof openRooms>[0]): HostRooms {
  const opened = new Set<Room>()
  const host: HostRooms = {
    drafts,
    log,
    opened,
    byName: new Map(),
    blocked: new Map(),
    count: 0,
    isClosed: false,
    texts: openRoomTexts((lost, cause) => {
      for (const room of lost === null ? opened : [lost]) loseRoom(host, room, cause)
    }),
    writer: createRoomWriter({
      drafts,
      log,
      opened,
      onStored(room) {
        if (room.storedRevision - room.compactedRevision >= COMPACT_AFTER) void compactRoom(host, room)
      },
      onGone: (room) => forgetRoom(host, room, 'restart'),
    }),
  }
  return host
}

async function toDraft({ texts, writer }: HostRooms, room: Room): Promise<SharedDraft> {
  const { text, state } = await texts.run(room, 'read', {}, WHOLE_LIMIT_MS)
  // After the answer, the room has received all changes that the text contains.
  const { revision, openedId, isChanged, updatedAt } = room
  const authors = toAuthors(room.authors)
  await writer.whenStored(room)
  return { ...room.place.key, epoch: room.epoch, text, state, revision, openedId, isChanged, updatedAt, authors }
}

async function replaceDraft(
  host: HostRooms,
  place: RoomPlace,
  { userId, text, baseRevision, epoch, openedId }: Replacement,
): Promise<ReplaceOutcome> {
  const { texts, writer } = host
  const room = await findRoom(host, place)
  if (room === null) return { kind: 'conflict', draft: null }
  if (room.revision !== baseRevision || room.epoch !== (epoch ?? room.epoch))
    return { kind: 'conflict', draft: await toDraft(host, room) }
  if (text.length > sharedTextLimits.length) return { kind: 'refused', reason: 'too-long' }
  if (!(await mayBeginDraft(host, room, userId))) return { kind: 'refused', reason: 'too-many-drafts' }
  // The thread may have changes that the room has not received yet.
  const replaced = await texts.run(room, 'replaceRevision', { revision: baseRevision, after: text })
  if (replaced === null) return { kind: 'conflict', draft: await toDraft(host, room) }
  room.length = text.length
  room.openedId = openedId ?? room.openedId
  writer.accept(room, { update: replaced.update, userId })
  const { revision } = room
  await writer.whenStored(room)
  return { kind: 'saved', revision }
}

async function settleDraft(
  host: HostRooms,
  place: RoomPlace,
  { draft, file, by, branch, newPath, isDiscarded }: DraftEnd,
): Promise<void> {
  const { texts, writer } = host
  const room = await findRoom(host, place, { isFollowing: false })
  if (room === null) return
  // The room of the draft was closed, and another one opened from the branch.
  if (draft !== null && draft.epoch !== room.epoch) return
  // An unchanged text has followed the commit already.
  if (draft !== null && draft.openedId !== file.commitId && room.openedId === file.commitId) return
  // Even if the room has received no later change: the thread may be processing one.
  const before = draft?.state ?? null
  const { update, text } = await texts.run(room, 'replace', { before, after: file.text }, WHOLE_LIMIT_MS)
  const committedRevision = draft?.revision ?? room.revision
  room.length = text.length
  room.openedId = file.commitId
  room.headId = file.commitId
  room.isChanged = text !== file.text
  for (const authors of [room.authors, room.newAuthors])
    for (const [userId, revision] of authors) if (revision <= committedRevision) authors.delete(userId)
  room.committedRevision = committedRevision
  room.messages.push({ kind: 'committed', by, branch, newPath, openedId: file.commitId, isDiscarded })
  writer.accept(room, { update })
  await writer.whenStored(room)
}
