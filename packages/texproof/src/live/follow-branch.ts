/** Texts that nobody has changed follow their branch: when they are read, and while an editor has them open. */
import { RoomLost } from './room.ts'
import type { Room } from './room.ts'
import { WHOLE_LIMIT_MS } from './room-texts.ts'
import type { RoomText } from './room-thread.ts'
import type { RoomFile, RoomMessage, RoomPlace } from './rooms.ts'
import type { HostRooms } from './rooms-of-host.ts'

/** A push appears in the open editors within this time. */
const LOOK_EVERY_MS = 2_000

/** Looks at the branches of all rooms with members, until `stop`. */
export function watchBranches(host: HostRooms): { stop(): void } {
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void lookAtBranches(host).finally(() => (isLooking = false))
  }, LOOK_EVERY_MS).unref()
  return { stop: () => clearInterval(timer) }
}

async function lookAtBranches(host: HostRooms): Promise<void> {
  let hasFailed = false
  for (const room of host.opened) {
    if (host.isClosed) return
    if (room.members.size === 0) continue
    try {
      await lookAtBranch(host, room)
    } catch (error) {
      // Its members connect again.
      if (error instanceof RoomLost) continue
      // The next look tries again. One line: without descriptors, every branch fails.
      if (!hasFailed) host.log.warn({ component: 'live', room: room.place.key, err: error }, 'follow a branch')
      hasFailed = true
    }
  }
}

async function lookAtBranch(host: HostRooms, room: Room): Promise<void> {
  const { place, headId: lastId } = room
  const headId = await place.findHead()
  if (headId === lastId) return
  const state = await followBranch(host, room, place.readFile)
  room.headId = headId
  const isMissing = state === 'missing'
  const fromId = lastId ?? room.openedId
  const newPath = isMissing && fromId !== '' && headId !== null ? await place.findNewPath(fromId, headId) : null
  // A draft whose branch was not read yet may belong to a new file, unless it was renamed since.
  if (lastId === undefined && newPath === null) return
  room.missing = isMissing ? { newPath } : null
  const message = { kind: 'moved', isMissing, newPath: null, isFollowed: state === 'followed' } as const
  for (const { connection } of room.members) connection.send(describeMissing(room) ?? message)
}

/** What members are told while the branch does not have the file; null if it does. */
export function describeMissing({ missing, isChanged }: Room): RoomMessage | null {
  // The new file lacks the changes of the draft.
  const newPath = isChanged ? null : (missing?.newPath ?? null)
  return missing === null ? null : { kind: 'moved', isMissing: true, newPath, isFollowed: false }
}

/** Changes an unchanged text to the text of its branch. `same` = it is changed, or nothing is new. */
export async function followBranch(
  host: HostRooms,
  room: Room,
  readFile: RoomPlace['readFile'],
): Promise<'missing' | 'same' | 'followed'> {
  const { openedId } = room
  const file = await readFile()
  if (file === null) return 'missing'
  if (room.isChanged || file.commitId === openedId) return 'same'
  const opened = await host.texts.run(room, 'read', {})
  // Moved twice, the text would contain the new lines twice.
  if (room.isChanged || room.openedId !== openedId) return 'same'
  return (await moveTo(host, room, { file, opened })) ? 'followed' : 'same'
}

/**
 * Changes the text of a room to the text of a newer commit; false if it is equal. What was typed since it was read as `opened`
 * stays.
 */
export async function moveTo(
  { texts, writer }: HostRooms,
  room: Room,
  { file, opened: { text, state } }: { readonly file: RoomFile; readonly opened: RoomText },
): Promise<boolean> {
  room.openedId = file.commitId
  if (file.text === text) return false
  const { update, text: now } = await texts.run(room, 'replace', { before: state, after: file.text }, WHOLE_LIMIT_MS)
  writer.accept(room, { update })
  room.length = now.length
  return true
}
