import { createHash } from 'node:crypto'

import type { StoredDraft } from '../store/repositories/drafts.ts'
import { closeLongestUnused } from './close-rooms.ts'
import { followBranch, moveTo } from './follow-branch.ts'
import type { RoomSource, RoomText } from './room-thread.ts'
import { nameOf, RoomLost } from './room.ts'
import type { Room } from './room.ts'
import { roomLimits } from './rooms.ts'
import type { RoomFile, RoomPlace } from './rooms.ts'
import type { HostRooms } from './rooms-of-host.ts'

/** Opens the room of a file unless it is open; null = there is neither a file nor a draft. */
export async function findRoom(
  host: HostRooms,
  place: RoomPlace,
  { isFollowing = true }: { readonly isFollowing?: boolean } = {},
): Promise<Room | null> {
  const { byName, opened } = host
  const name = nameOf(place.key)
  const known = byName.get(name)
  const room = known === undefined ? null : await known
  if (room !== null && opened.has(room)) {
    room.usedAt = Date.now()
    if (isFollowing && !room.isChanged) await followBranch(host, room, place.readFile)
    return room
  }
  if (known !== undefined && byName.get(name) === known) byName.delete(name)
  const other = byName.get(name)
  if (other !== undefined) return other
  if (opened.size >= roomLimits.rooms && !closeLongestUnused(host)) throw new RoomLost('too many rooms')
  const opening = openRoom(host, place)
  byName.set(name, opening)
  const drop = (): void => {
    if (byName.get(name) === opening) byName.delete(name)
  }
  opening.then((made) => made === null && drop(), drop)
  return opening
}

async function openRoom(host: HostRooms, place: RoomPlace): Promise<Room | null> {
  const { key, readFile } = place
  const stored = await host.drafts.find(key)
  const file = stored?.isChanged === true ? null : await readFile()
  if (stored === null && file === null) return null
  const epoch = stored?.epoch ?? digestOf(file?.text ?? '')
  host.count += 1
  const name = `${key.repositoryId}-${host.count}`
  const opened = await host.texts.open(name, sourceOf(stored, file, epoch))
  const room = createRoom({ name, place, epoch }, { stored, file, opened })
  host.opened.add(room)
  if (file !== null && stored !== null) await moveTo(host, room, { file, opened })
  return room
}

/** Digest that names the history of a text: equal texts have equal histories on all servers. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function sourceOf(stored: StoredDraft | null, file: RoomFile | null, epoch: string): RoomSource {
  return stored === null
    ? { kind: 'text', text: file?.text ?? '', clientId: Number.parseInt(epoch.slice(0, 8), 16) }
    : { kind: 'stored', state: stored.state, updates: stored.updates, revision: stored.revision }
}

function createRoom(
  identity: Pick<Room, 'name' | 'place' | 'epoch'>,
  {
    stored,
    file,
    opened,
  }: { readonly stored: StoredDraft | null; readonly file: RoomFile | null; readonly opened: RoomText },
): Room {
  const revision = stored?.revision ?? 0
  return {
    ...identity,
    initialState: opened.state,
    members: new Set(),
    authors: new Map(stored?.authors.map(({ userId, revision: last }) => [userId, last])),
    newAuthors: new Map(),
    id: stored?.id ?? null,
    openedId: stored?.openedId ?? file?.commitId ?? '',
    headId: file?.commitId,
    missing: null,
    isChanged: stored?.isChanged ?? false,
    length: opened.text.length,
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
    waiting: new Set(),
  }
}
