import { WHOLE_LIMIT_MS } from './room-texts.ts'
import { RoomLost } from './room.ts'
import type { Room } from './room.ts'
import { forgetRoom } from './rooms-of-host.ts'
import type { HostRooms } from './rooms-of-host.ts'

const SWEEP_EVERY_MS = 5_000
/** A room without members closes. The page that was just opened connects within this time. */
const CLOSE_AFTER_MS = 30_000
/** History of an unchanged text beyond which it begins again. */
const MAX_UNCHANGED_STATE_BYTES = 4_000_000
/** Unchanged drafts are kept for browsers that were offline. */
const KEEP_UNCHANGED_MS = 7 * 86_400_000
const REMOVE_EVERY_MS = 3_600_000

/** Closes unused rooms and removes unchanged drafts, until `stop`. */
export function sweepRooms(host: HostRooms): { stop(): void } {
  let removedAt = 0
  const sweep = setInterval(() => {
    const now = Date.now()
    closeUnused(host, now)
    if (now - removedAt < REMOVE_EVERY_MS) return
    removedAt = now
    void host.drafts.removeUnchanged(now - KEEP_UNCHANGED_MS).catch((error: unknown) => {
      if (!host.isClosed) host.log.error({ component: 'live', err: error }, 'remove unchanged drafts')
    })
  }, SWEEP_EVERY_MS).unref()
  return { stop: () => clearInterval(sweep) }
}

function closeUnused(host: HostRooms, now: number): void {
  for (const [userId, until] of host.blocked) if (until < now) host.blocked.delete(userId)
  for (const room of host.opened) if (isUnused(room) && now - room.usedAt > CLOSE_AFTER_MS) void closeRoom(host, room)
}

/** Makes place for another room: closes the one that was unused for the longest time. False = all are in use. */
export function closeLongestUnused(host: HostRooms): boolean {
  const [room] = [...host.opened].filter(isUnused).toSorted((one, other) => one.usedAt - other.usedAt)
  if (room === undefined) return false
  // Its changes are stored. They are merged into one state when it closes the next time.
  forgetRoom(host, room, 'ended')
  void host.texts.close(room)
  return true
}

function isUnused({ members, isDirty, isStoring }: Room): boolean {
  return members.size === 0 && !isDirty && !isStoring
}

async function closeRoom(host: HostRooms, room: Room): Promise<void> {
  // Before the room is closed, for the thread ends with the last one.
  await compactRoom(host, room)
  if (!isUnused(room)) return
  forgetRoom(host, room, 'ended')
  await host.texts.close(room)
}

/**
 * Merges the stored changes of a room into one state. The changes are stored already: a failure is logged, and tried
 * again later.
 */
export async function compactRoom({ texts, drafts, log }: HostRooms, room: Room): Promise<void> {
  const { id, storedRevision: revision, compactedRevision } = room
  if (id === null || revision === compactedRevision) return
  room.compactedRevision = revision
  try {
    const { state } = await texts.run(room, 'read', {}, WHOLE_LIMIT_MS)
    // Another server may have stored later changes of the draft: those stay.
    const isCompacted = await drafts.compact(id, { state, revision })
    const isUnchanged = !room.isChanged && room.members.size === 0
    if (isCompacted && isUnchanged && state.length > MAX_UNCHANGED_STATE_BYTES) await drafts.remove(id, revision)
  } catch (error) {
    room.compactedRevision = compactedRevision
    if (!(error instanceof RoomLost)) log.error({ component: 'live', err: error }, 'compact a draft')
  }
}
