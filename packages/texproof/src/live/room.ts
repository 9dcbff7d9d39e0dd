import { TooManyWaiting } from '../base/limiter.ts'
import type { DraftAuthor, DraftKey } from '../store/repositories/drafts.ts'
import type { Cursor, RoomMember, RoomMessage, RoomPlace } from './rooms.ts'

/** An update that is not stored yet. */
export interface Pending {
  readonly update: Uint8Array
  readonly member: Member | null
}

/** A connection in a room. */
export interface Member {
  readonly connection: RoomMember
  readonly color: number
  cursor: Cursor | null
  storedCount: number
}

/** The state of a room, except its text, which is in the thread. */
export interface Room {
  readonly name: string
  readonly place: RoomPlace
  readonly epoch: string
  /** State when the room opened, for the row of a new draft. */
  readonly initialState: Uint8Array
  readonly members: Set<Member>
  readonly authors: Map<string, number>
  /** Authors whose changes are not stored yet. */
  readonly newAuthors: Map<string, number>
  id: number | null
  openedId: string
  /** Head of the branch when it was last compared with the text; undefined before that, null = there was no branch. */
  headId: string | null | undefined
  /** Set while the branch does not have the file: where it is now, if that is known. */
  missing: { readonly newPath: string | null } | null
  isChanged: boolean
  length: number
  /** Revision, including changes that are not stored yet. */
  revision: number
  storedRevision: number
  compactedRevision: number
  updatedAt: number
  usedAt: number
  pending: Pending[]
  messages: RoomMessage[]
  committedRevision: number | null
  /** Whether there are changes to store. */
  isDirty: boolean
  /** Whether a transaction is in progress. */
  isStoring: boolean
  peopleTimer: NodeJS.Timeout | undefined
  /** Woken when changes are stored, a connection ends or the room closes. */
  readonly waiting: Set<() => void>
}

/** The thread has ended, or is overloaded: the room opens again from the database. */
export class RoomLost extends TooManyWaiting {
  override readonly cause: string

  constructor(cause: string) {
    super()
    this.cause = cause
  }
}

/** Rejection handler of promises that are not awaited. */
export function ignoreLost(error: unknown): undefined {
  // The room is opened again from the database, and its members connect again.
  if (!(error instanceof RoomLost)) throw error
}

/** Authors in the form in which they are stored. */
export function toAuthors(authors: ReadonlyMap<string, number>): readonly DraftAuthor[] {
  return [...authors].map(([userId, revision]) => ({ userId, revision }))
}

/** One per file of a branch. */
export function nameOf({ repositoryId, branch, path }: DraftKey): string {
  return JSON.stringify([repositoryId, branch, path])
}

/** Resolves when changes of the room are stored, a connection ends, the room closes, or `signal` aborts. */
export function whenChanged({ waiting }: Room, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      waiting.delete(end)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    waiting.add(end)
    signal?.addEventListener('abort', end)
    if (signal?.aborted === true) end()
  })
}

/** Ends what waits for a change of the room. */
export function wake({ waiting }: Room): void {
  for (const end of waiting) end()
}
