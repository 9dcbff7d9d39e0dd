/** Operations on repositories on disk. Names are text, `commitId` is 40 or 64 hex digits. */
import type { FetchOptions, FetchOutcome, RemoteRepository } from './protocol/fetch-remote.ts'
import type { NewTagObject } from './write/create-tag-object.ts'
import type { Readable, Writable } from 'node:stream'

import type { UnreachableCommit } from './admin/purge-repository.ts'
import type { PlannedMove } from './refs/revert-torn-refs.ts'
import type { FolderOfCommit } from './history/find-last-commits.ts'
import type { Patience } from './history/open-history.ts'
import type { CommitPair, Distance, HistoryWindow } from './history/rev-list.ts'
import type { ChangedPaths } from './history/list-changed-paths.ts'
import type { ChangeRange, ListedChange } from './history/list-changes.ts'
import type { Blame } from './history/read-blame.ts'
import type { ArchiveOptions } from './objects/open-archive.ts'
import type { OpenedBlob } from './objects/open-blob.ts'
import type { GitStream } from './process/stream-git.ts'
import type { Patch, PatchRange } from './history/read-patch.ts'
import type { LsRefs } from './protocol/ls-refs.ts'
import type { RefChange } from './refs/change-refs.ts'
import type { MergeOutput, TextVersions } from './write/merge-texts.ts'
import type { FoundText, TextQuery } from './history/search-text.ts'

export interface Ref {
  /** Short name: `feature/a` for `refs/heads/feature/a`. */
  readonly name: string
  readonly commitId: string
}

export interface GitPerson {
  readonly name: string
  /** Email address, visible in clones but not on pages or in the API. */
  readonly email: string
  /** Epoch milliseconds, whole seconds. */
  readonly at: number
}

export interface Commit {
  readonly commitId: string
  readonly treeId: string
  readonly parentIds: readonly string[]
  readonly author: GitPerson
  readonly committer: GitPerson
  /** UTF-8, without trailing newlines. */
  readonly message: string
}

/** A change of one file in a commit. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  /** Puts a file of another commit of the repository at a path, which must not be a folder. */
  | { readonly kind: 'place'; readonly path: string; readonly item: TreeItem }
  /** Removes a file or a folder. */
  | { readonly kind: 'remove'; readonly path: string }
  /** Renames a file or a folder. `newPath` must be free. */
  | { readonly kind: 'rename'; readonly path: string; readonly newPath: string }

/** A commit to create. Its paths must be accepted by `refuse-file-path.ts`. */
export interface ComposedCommit {
  /** An existing commit; null = the first commit of a history. */
  readonly parentId: string | null
  readonly changes: readonly FileChange[]
  readonly author: GitPerson
  readonly message: string
}

/** A commit to push to a branch. */
export interface PushedCommit extends ComposedCommit {
  /** Full name; must be valid. */
  readonly ref: string
  /** The expected commit of the branch; null = it must not exist. */
  readonly from: string | null
  /** Maximum bytes of the pack. */
  readonly maxBytes: number
  /** Called with the id of the commit. It moves the branch by calling `push` and returns the outcome. */
  readonly around?: (commitId: string, push: () => Promise<PushCommitOutcome>) => Promise<PushCommitOutcome>
}

/**
 * `moved` = the branch did not have the expected commit. `refused` = git refused the content of the commit. `too-large` =
 * it has more than `maxBytes`.
 */
export type PushCommitOutcome =
  | { readonly kind: 'committed'; readonly commitId: string }
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'too-large' }

export interface TreeEntry {
  readonly name: string
  readonly kind: 'file' | 'executable' | 'symlink' | 'folder' | 'submodule'
  readonly objectId: string
}

/** The entry of a tree at a path. */
export type TreeItem = Pick<TreeEntry, 'kind' | 'objectId'>

export interface TreeFile {
  /** Path from the root folder of the tree, `/`-separated. */
  readonly path: string
  readonly objectId: string
  /** Size in bytes. */
  readonly size: number
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule'
}

/** The contents of an annotated tag. */
export interface TagNote {
  /** UTF-8, without trailing newlines and without a signature. */
  readonly message: string
  /** Null in very old tags. */
  readonly tagger: GitPerson | null
}

export interface InitialCommit {
  /** Path → bytes, root folder only. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly author: GitPerson
  readonly message: string
}

/** A commit to add to a branch. */
export interface ImportedCommit {
  /** Short name. */
  readonly branch: string
  /** The branch from which a new branch starts; null = a root commit. */
  readonly from: string | null
  /** Path → bytes of the changed files. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly author: GitPerson
  readonly message: string
  /** Short name of a tag for it, or null. */
  readonly tag: string | null
}

export interface RefUpdate {
  /** Full name. */
  readonly ref: string
  /** null = the ref was created. */
  readonly oldCommitId: string | null
  /** null = the ref was deleted. */
  readonly newCommitId: string | null
}

/**
 * Access to repositories. Missing items are null or an empty list; items that cannot be read throw. Reading starts no
 * process per request, except for history queries, which are cached by commit id, and for searching.
 */
export interface GitStore {
  /** Creates the bare repository atomically, even if the process crashes. Does not replace an existing one. */
  createRepository(
    repositoryId: number,
    options: { defaultBranch: string; initialCommit: InitialCommit | null },
  ): Promise<void>
  removeRepository(repositoryId: number): Promise<void>
  hasRepository(repositoryId: number): Promise<boolean>
  /** Bytes on disk. */
  measure(repositoryId: number): Promise<number>
  /** Absolute path of the bare repository. */
  gitDir(repositoryId: number): string
  /** Sorted by the UTF-8 bytes of the name. While no ref moves, every call returns the same array. */
  listBranches(repositoryId: number): Promise<readonly Ref[]>
  /**
   * The branches from `offset` on, at most `limit`, and their total number. The cost of a page does not depend on the
   * total.
   */
  pageBranches(
    repositoryId: number,
    options: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly branches: readonly Ref[]; readonly total: number }>
  findBranch(repositoryId: number, name: string): Promise<Ref | null>
  /** The targets of the named branches and tags that exist, by full name: the tag object of an annotated tag. */
  findRefs(repositoryId: number, names: Iterable<string>): Promise<ReadonlyMap<string, string>>
  /** Tags that peel to a commit, with that commit, sorted by name; the same array while no tag moves. */
  listTags(repositoryId: number): Promise<readonly Ref[]>
  findTag(repositoryId: number, name: string): Promise<Ref | null>
  /** Null if there is no such tag, and for a lightweight tag. */
  findTagNote(repositoryId: number, name: string): Promise<TagNote | null>
  /** Null if there is no such commit. */
  findCommit(repositoryId: number, commitId: string): Promise<Commit | null>
  /** The commit whose id starts with these 7 to 39 digits; null if there is none or more than one. */
  findCommitByPrefix(repositoryId: number, prefix: string): Promise<Commit | null>
  /** Commits that a commit reaches, newest first; null if there is no such commit, or git timed out. */
  listCommits(repositoryId: number, commitId: string, window: HistoryWindow): Promise<readonly Commit[] | null>
  /** The change between two commits. */
  readPatch(repositoryId: number, range: PatchRange): Promise<Patch>
  /** The paths that each commit changed, by commit id. */
  listChangedPaths(repositoryId: number, commitIds: readonly string[]): Promise<ReadonlyMap<string, ChangedPaths>>
  /** The files that differ between two commits; null if there are too many, a commit is missing, or git timed out. */
  listChanges(repositoryId: number, range: ChangeRange): Promise<readonly ListedChange[] | null>
  /** The commit that wrote each line of a file. */
  readBlame(repositoryId: number, file: { readonly commitId: string; readonly path: string }): Promise<Blame>
  /**
   * The merge base of two commits; null if they have none, or one is missing.
   *
   * @throws GitTimeout
   */
  findMergeBase(repositoryId: number, commitIds: readonly [string, string]): Promise<string | null>
  /** The newest commit that changed each entry of a folder, by name; entries that take too long are omitted. */
  findLastCommits(
    repositoryId: number,
    folder: FolderOfCommit,
    patience?: Patience,
  ): Promise<ReadonlyMap<string, Commit>>
  /** The matching lines of a commit's text files, in the order of paths. */
  searchText(repositoryId: number, query: TextQuery): Promise<FoundText>
  /**
   * One folder of a commit's tree, folders first, then by name; null if the path is not a folder. `''` is the root
   * folder. Limited to the first `maxListedEntries`.
   */
  listFolder(repositoryId: number, commitId: string, path: string): Promise<readonly TreeEntry[] | null>
  /** The entry at a path of a commit's tree; null if there is none. */
  findEntry(repositoryId: number, commitId: string, path: string): Promise<TreeEntry | null>
  /** Every file of a commit's tree; null if there are more than `maxFiles`. */
  listFiles(repositoryId: number, commitId: string, options: { maxFiles: number }): Promise<readonly TreeFile[] | null>
  /**
   * git's listing of every file of a commit, for `parseFileList`; null if it is too long.
   *
   * @throws GitTimeout
   */
  readFileList(repositoryId: number, commitId: string): Promise<Uint8Array | null>
  /** The bytes of a blob; null if it is absent or over `maxBytes`. */
  readBlob(repositoryId: number, objectId: string, options: { maxBytes: number }): Promise<Uint8Array | null>
  /** A stream of a file of any size, for clients that may be slow; null if it is absent. */
  openBlob(repositoryId: number, objectId: string): Promise<OpenedBlob | null>
  /**
   * Adds commits made by the host, in order, all or none.
   *
   * @throws Error when git refuses them.
   */
  importCommits(repositoryId: number, commits: readonly ImportedCommit[]): Promise<void>
  /**
   * Creates a commit and moves its branch to it, with the checks of a push, atomically.
   *
   * @throws TooManyWaiting, or Error when its parent does not exist, or git fails otherwise than by refusing.
   */
  pushCommit(repositoryId: number, commit: PushedCommit): Promise<PushCommitOutcome>
  /** Merges two versions of a text, for `readMerge`; null on failure. */
  mergeTexts(versions: TextVersions): Promise<MergeOutput | null>
  /** The distance between two commits; null if one is missing, or git timed out. */
  countDistance(repositoryId: number, pair: CommitPair): Promise<Distance | null>
  /** Number of commits that branches and tags reach, at most `maxCountedCommits` + 1; null if git timed out. */
  countCommits(repositoryId: number): Promise<number | null>
  /**
   * Moves refs, all or none; false if one did not have the expected value, or its name is not possible.
   *
   * @throws Error for an invalid name.
   */
  changeRefs(repositoryId: number, changes: readonly RefChange[]): Promise<boolean>
  /**
   * Writes the object of an annotated tag and returns its id; `changeRefs` then creates the tag.
   *
   * @throws Error when git refuses it.
   */
  createTagObject(repositoryId: number, tag: NewTagObject): Promise<string>
  /** Downloads a repository from another server into a folder. */
  fetchRemote(remote: RemoteRepository, options: Omit<FetchOptions, 'searchPath'>): Promise<FetchOutcome>
  /** Moves the objects of a download into a repository. */
  takeFetched(repositoryId: number, dir: string): Promise<void>
  /** Creates an archive of an existing commit; null if it has too many files. @throws Error when git fails at the start. */
  openArchive(repositoryId: number, options: ArchiveOptions): Promise<GitStream | null>
  /** Reverts refs that a power failure left empty, or with a commit that is not on disk. @throws Error when git fails. */
  revertTornRefs(repositoryId: number, moves: readonly PlannedMove[]): Promise<void>
  /** Points HEAD at a branch, existing or not. */
  setDefaultBranch(repositoryId: number, name: string): Promise<void>
  /**
   * The answer to `info/refs`, to be sent after `encodeServiceHeader` (pkt-line.ts), without starting git; null if only
   * git can provide it.
   */
  advertiseRefs(repositoryId: number, options: AdvertiseOptions): Promise<Iterable<Uint8Array> | null>
  /** Like `advertiseRefs`, for the `ls-refs` command of protocol version 2. */
  listRefs(repositoryId: number, request: LsRefs): Promise<Iterable<Uint8Array> | null>
  /**
   * Serves one exchange of the smart HTTP protocol as streams. It ends with its process group when `signal` aborts.
   *
   * `stdout` is git's own: the answer to `info/refs` begins with `encodeServiceHeader` (pkt-line.ts). A push is checked
   * before it is passed to git (`readPushCommands`, `checkPush`).
   */
  servePack(repositoryId: number, options: ServePackOptions): ServedPack
  /** After a push: packs the refs, and collects garbage if necessary. Never rejects. */
  maintain(repositoryId: number): Promise<void>
  /** Commits that no branch and no tag reaches. @throws Error when git fails. */
  listUnreachableCommits(
    repositoryId: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly UnreachableCommit[]>
  /** Checks that the disk has room to remove them. @throws DiskFull; Error when git fails. */
  requirePurgeRoom(repositoryId: number, options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * Removes them permanently; no push may run at the same time. A running server detects this within `purgeNoticedAfterMs`.
   *
   * @throws Error when git fails.
   */
  purgeRepository(repositoryId: number, options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * Removes what crashes left behind: repositories created or deleted in part, stale locks, interrupted pushes. Skips
   * anything younger than `olderThanMs`, and repositories on which git works. Returns the removed paths.
   */
  sweep(options: { readonly olderThanMs: number }): Promise<readonly string[]>
  /** Removes stale locks of one repository; returns their number. */
  removeStaleLocks(repositoryId: number): Promise<number>
  /** Removes locks of processes that have ended from a repository as soon as nothing writes to it, in the background. */
  sweepSoon(repositoryId: number): void
  /** Writes HEAD again if it is damaged: a power failure can leave it empty. Returns whether it was. */
  repairHead(repositoryId: number, branch: string): Promise<boolean>
  /** Ends long-lived processes. */
  close(): Promise<void>
}

export interface AdvertiseOptions {
  readonly service: 'upload-pack' | 'receive-pack'
  /** Value of the `Git-Protocol` header if it is `version=0|1|2`. */
  readonly protocol: string | null
}

export interface ServePackOptions extends AdvertiseOptions {
  /** The `info/refs` exchange instead of the pack exchange. */
  readonly advertise: boolean
  readonly signal: AbortSignal
  /** Maximum bytes of a push. */
  readonly maxInputBytes: number
  /** Maximum private memory of each process of a push; the highest limit if it is absent. */
  readonly maxMemoryBytes?: number
  /** Number of refs that a push creates, if it does nothing else; many are synced together. */
  readonly newRefs?: number
  /** Called once the whole push has arrived and is checked, before a ref moves; false, or an error, refuses it. */
  readonly admit?: () => Promise<boolean>
}

export interface ServedPack {
  /** Never emits an error that must be handled: git may exit before it has read everything. */
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when git has ended. @throws Error when an accepted push could not be synced to disk. */
  readonly exit: Promise<{ readonly exitCode: number; readonly stderr: string }>
}
