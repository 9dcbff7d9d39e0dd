import type { DraftKey, StoredDraft } from '../store/repositories/drafts.ts'
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

/** A file of a branch, and how to read it at the head of the branch. */
export interface RoomPlace {
  readonly key: DraftKey
  /** The commit at the head; null = there is no such branch. */
  readonly findHead: () => Promise<string | null>
  /** null = there is no such file. */
  readonly readFile: () => Promise<RoomFile | null>
  /** The path at the later of two commits of a file that was renamed between them; null = it is unknown. */
  readonly findNewPath: (fromCommitId: string, toCommitId: string) => Promise<string | null>
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

/** A person in a room, as shown to the others. */
export interface Person {
  /** Client id of Yjs; differs for every opened page. */
  readonly clientId: number
  /** The same for all windows of a user. */
  readonly userId: string
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

/** Messages of a room to its members. */
export type RoomMessage =
  /** `count` = updates of this connection that are stored. */
  | { readonly kind: 'stored'; readonly count: number }
  | { readonly kind: 'people'; readonly people: readonly Person[] }
  /**
   * `branch` = where the commit is, if not on the branch of the room. `newPath` = the path of the file, if the commit has
   * renamed it.
   */
  | {
      readonly kind: 'committed'
      readonly by: string
      readonly branch: string | null
      readonly newPath: string | null
      readonly openedId: string
      readonly isDiscarded: boolean
    }
  /**
   * The branch has another head. `isMissing` = without the file; `newPath` = where it is now, if that is known and the draft
   * has no changes. `isFollowed` = its text follows as an update.
   */
  | {
      readonly kind: 'moved'
      readonly isMissing: boolean
      readonly newPath: string | null
      readonly isFollowed: boolean
    }

/** Why a room ends a connection. */
export type CloseReason =
  | UpdateRefusal
  | 'too-many-drafts'
  /** The user has too many connections. */
  | 'too-many-tabs'
  /** The host has too many connections, or the user must wait. */
  | 'too-many-connections'
  | 'restart'
  | 'gone'
  | 'ended'

/** The membership of one connection in a room. */
export interface Seat {
  readonly epoch: string
  /** Update with the changes that a browser with this state vector lacks; null for a malformed vector. */
  missing(vector: Uint8Array): Promise<Uint8Array | null>
  /** Applies an update. Its acknowledgment follows as a message. */
  apply(update: Uint8Array): Promise<void>
  moveCursor(cursor: Cursor | null): void
  /** `mayReturn` = the browser may connect again, with changes that it has not sent yet. */
  leave(mayReturn: boolean): void
}

/** The rooms of a host. */
export interface Rooms {
  /** The draft of a file, or its text; null = there is neither. */
  read(place: RoomPlace): Promise<SharedDraft | null>
  /** Reads only the text: encoding the history of a long text takes longer. */
  readText(place: RoomPlace): Promise<string | null>
  join(place: RoomPlace, member: RoomMember): Promise<Seat | null>
  /** Resolves when the updates are stored, their connection ends or `signal` aborts; at once without such a connection. */
  whenStored(key: DraftKey, sent: SentUpdates, signal: AbortSignal): Promise<void>
  /** Replaces the text, unless it has another revision. */
  replace(place: RoomPlace, change: Replacement): Promise<ReplaceOutcome>
  /** Ends a draft: the text becomes the text of the commit. Later changes are kept. */
  settle(place: RoomPlace, end: DraftEnd): Promise<void>
  close(): Promise<void>
}

/** Updates that a connection has sent. */
export interface SentUpdates {
  readonly userId: string
  /** Client id that the connection sent at its start. */
  readonly clientId: number
  /** Number of updates that the connection has sent since its start. */
  readonly count: number
}

/** A new text of a draft. */
export interface Replacement {
  readonly userId: string
  readonly text: string
  /** Revision of the draft that is replaced. */
  readonly baseRevision: number
  /** Epoch of the draft that is replaced: a room without a stored draft opens again at revision 0. @default any */
  readonly epoch?: string
  /** The commit that was merged into the text. @default the commit of the draft */
  readonly openedId?: string
}

/** `conflict` = the draft has changed in the meantime. */
export type ReplaceOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly draft: SharedDraft | null }
  | { readonly kind: 'refused'; readonly reason: CloseReason }

/** How to end a draft. */
export interface DraftEnd {
  /** The draft that was committed; null = whatever it is now. */
  readonly draft: Pick<SharedDraft, 'epoch' | 'state' | 'revision' | 'openedId'> | null
  readonly file: RoomFile
  /** Name of the user. */
  readonly by: string
  /** The branch with the commit, if it is another one. */
  readonly branch: string | null
  /** The path of the file, if the commit has renamed it. */
  readonly newPath: string | null
  readonly isDiscarded: boolean
}
