/** Runs in the thread of `open-rooms.ts`: holds the text of every open room. */
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

import { serveTasks } from '@texproof/platex/worker'
import * as Y from 'yjs'

import { applyUpdate, createSharedText, readSharedText, replaceText, textOf } from './shared-text.ts'
import type { UpdateOutcome } from './shared-text.ts'

/** Initial content of a room: the text of a file, or a stored draft. */
export type RoomSource =
  | { readonly kind: 'text'; readonly text: string; readonly clientId: number }
  | {
      readonly kind: 'stored'
      readonly state: Uint8Array
      readonly updates: readonly Uint8Array[]
      readonly revision: number
    }

/** A room by its name. */
export interface RoomCall {
  readonly room: string
}

/** The text of a room, and the document that contains it. */
export interface RoomText {
  readonly text: string
  readonly state: Uint8Array
}

interface OpenRoom {
  readonly doc: Y.Doc
  /** Owner of each browser id: only this user may add to the history of the id. */
  readonly owners: Map<number, string>
  /** The revision of the room, when the room has received all answers of this thread. */
  revision: number
}

/** Update that a replacement adds to the document; null = nothing. */
interface Replaced {
  readonly update: Uint8Array | null
  readonly text: string
}

const rooms = new Map<string, OpenRoom>()

/** @throws if the thread has ended since the room was opened. */
function find(room: string): OpenRoom {
  const found = rooms.get(room)
  if (found === undefined) throw new Error('the room is not open')
  return found
}

const tasks = {
  open({ room, source }: RoomCall & { readonly source: RoomSource }): RoomText {
    const doc =
      source.kind === 'text'
        ? createSharedText(source.text, source.clientId)
        : readSharedText(source.state, source.updates)
    const revision = source.kind === 'text' ? 0 : source.revision
    rooms.set(room, { doc, owners: new Map([[doc.clientID, '']]), revision })
    return read(doc)
  },

  read: ({ room }: RoomCall): RoomText => read(find(room).doc),

  readText: ({ room }: RoomCall): string => textOf(find(room).doc).toString(),

  /** Update with the changes that a browser with this state vector lacks; null for a malformed vector. */
  missing({ room, vector }: RoomCall & { readonly vector: Uint8Array }): Uint8Array | null {
    const { doc } = find(room)
    try {
      return Y.encodeStateAsUpdate(doc, vector)
    } catch {
      return null // The vector comes from a browser; the caller refuses it.
    }
  },

  apply({
    room,
    update,
    userId,
  }: RoomCall & { readonly update: Uint8Array; readonly userId: string }): UpdateOutcome & { readonly length: number } {
    const found = find(room)
    const { doc, owners } = found
    const outcome = applyUpdate(doc, update, { owners, userId })
    if (outcome.kind === 'applied' && outcome.update !== null) found.revision += 1
    return { ...outcome, length: textOf(doc).length }
  },

  /**
   * Replaces the text as it was in `before`, so that later changes stay. `before` = an earlier state of the document;
   * null = the current one.
   */
  replace({
    room,
    before,
    after,
  }: RoomCall & { readonly before: Uint8Array | null; readonly after: string }): Replaced {
    return replace(find(room), before, after)
  },

  /** Replaces the text with this revision; null = it has another one already. */
  replaceRevision({
    room,
    revision,
    after,
  }: RoomCall & { readonly revision: number; readonly after: string }): Replaced | null {
    const found = find(room)
    return found.revision === revision ? replace(found, null, after) : null
  },

  close({ room }: RoomCall): void {
    rooms.get(room)?.doc.destroy()
    rooms.delete(room)
  },
}

/** The tasks of this thread. */
export type RoomTasks = typeof tasks

function replace(room: OpenRoom, before: Uint8Array | null, after: string): Replaced {
  const { doc } = room
  const update = replaceText(before === null ? doc : readSharedText(before, []), after)
  if (update !== null) room.revision += 1
  if (update !== null && before !== null) Y.applyUpdate(doc, update)
  return { update, text: textOf(doc).toString() }
}

function read(doc: Y.Doc): RoomText {
  return { text: textOf(doc).toString(), state: Y.encodeStateAsUpdate(doc) }
}

// On Linux, the priority applies to the calling thread only: the main thread goes first.
if (!isMainThread) setPriority(0, 2)
serveTasks(tasks)
