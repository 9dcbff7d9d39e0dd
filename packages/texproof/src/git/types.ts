/** Operations on the repositories on disk. Names are text, `commitId` is 40 or 64 hex digits. */
import type { Readable, Writable } from 'node:stream'

import type { UnreachableCommit } from './admin/purge-repository.ts'
import type { FolderOfCommit } from './history/find-last-commits.ts'
import type { CommitPair, Distance, HistoryWindow } from './history/rev-list.ts'
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
  /** Shown by no surface but a clone. */
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

/** What a commit does to one file. */
export type FileChange =
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Uint8Array; readonly isExecutable: boolean }
  | { readonly kind: 'remove'; readonly path: string }

/** A commit to make. Its paths are names that `refuse-file-path.ts` lets pass. */
export interface ComposedCommit {
  /** A commit that is there; null = the first of a history. */
  readonly parentId: string | null
  readonly changes: readonly FileChange[]
  readonly author: GitPerson
  readonly message: string
}

/** A commit to put on a branch. */
export interface PushedCommit extends ComposedCommit {
  /** Full name; must be valid. */
  readonly ref: string
  /** Where the branch must be now; null = it must not be there. */
  readonly from: string | null
  /** Bytes of the pack at most. */
  readonly maxBytes: number
  /** Told the commit's id, lets the branch move by calling `push`, and gives what that gives. */
  readonly around?: (commitId: string, push: () => Promise<PushCommitOutcome>) => Promise<PushCommitOutcome>
}

/** `moved` = the branch was not where it should be. `refused` = git does not take what is in the commit. */
export type PushCommitOutcome =
  | { readonly kind: 'committed'; readonly commitId: string }
  | { readonly kind: 'moved' }
  | { readonly kind: 'refused'; readonly reason: string }

export interface TreeEntry {
  readonly name: string
  readonly kind: 'file' | 'executable' | 'symlink' | 'folder' | 'submodule'
  readonly objectId: string
}

export interface TreeFile {
  /** Path from the root of the tree, `/`-separated. */
  readonly path: string
  readonly objectId: string
  /** Bytes. */
  readonly size: number
  readonly kind: 'file' | 'executable' | 'symlink' | 'submodule'
}

/** What an annotated tag says of itself. */
export interface TagNote {
  /** UTF-8, without trailing newlines and without a signature. */
  readonly message: string
  /** null in tags of long ago. */
  readonly tagger: GitPerson | null
}

export interface InitialCommit {
  /** Path → bytes, top level only. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly author: GitPerson
  readonly message: string
}

/** A commit to add on top of a branch. */
export interface ImportedCommit {
  /** Short name. */
  readonly branch: string
  /** Where the branch leaves another, when this is its first commit; null = it begins with nothing. */
  readonly from: string | null
  /** Path → bytes of the files that change. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly author: GitPerson
  readonly message: string
  /** Short name of a tag on it, or null. */
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
 * A missing thing reads as null or an empty list; one that cannot be read throws. Reading starts no process per request, but for questions
 * about history, whose answers are kept by commit id, and for searching.
 */
export interface GitStore {
  /** Creates the bare repository so that a crash leaves it whole or absent; replaces nothing that exists. */
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
  /** Ascending by the UTF-8 bytes of the name. While no ref moves, every call gives the very same array. */
  listBranches(repositoryId: number): Promise<readonly Ref[]>
  /** The branches from `offset` on, at most `limit`, and how many there are: a page costs the same among 100,000. */
  pageBranches(
    repositoryId: number,
    options: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly branches: readonly Ref[]; readonly total: number }>
  findBranch(repositoryId: number, name: string): Promise<Ref | null>
  /** What a branch or tag names, by its full name: a tag object where the tag is annotated; null when there is no such ref. */
  findRef(repositoryId: number, ref: string): Promise<string | null>
  /** Tags whose target peels to a commit, with that commit, ascending by name; the same array while no tag moves. */
  listTags(repositoryId: number): Promise<readonly Ref[]>
  findTag(repositoryId: number, name: string): Promise<Ref | null>
  /** null when there is no such tag, and for one that only names a commit. */
  findTagNote(repositoryId: number, name: string): Promise<TagNote | null>
  /** null when there is no such commit. */
  findCommit(repositoryId: number, commitId: string): Promise<Commit | null>
  /** The commit whose id begins with these 7 to 39 digits; null when there is none or more than one. */
  findCommitByPrefix(repositoryId: number, prefix: string): Promise<Commit | null>
  /** Commits that a commit reaches, newest first; null when there is no such commit, or git took too long. */
  listCommits(repositoryId: number, commitId: string, window: HistoryWindow): Promise<readonly Commit[] | null>
  /** The change between two commits. */
  readPatch(repositoryId: number, range: PatchRange): Promise<Patch>
  /** For every line of a file the commit that wrote it. */
  readBlame(repositoryId: number, file: { readonly commitId: string; readonly path: string }): Promise<Blame>
  /** The newest commit that two have in common; null when they share none, or git took too long. */
  findMergeBase(repositoryId: number, commitIds: readonly [string, string]): Promise<string | null>
  /** For each entry of a folder the newest commit that changed it, by name; entries that take too long are left out. */
  findLastCommits(repositoryId: number, folder: FolderOfCommit): Promise<ReadonlyMap<string, Commit>>
  /** The lines of a commit's text files that hold a text, in the order of paths. */
  searchText(repositoryId: number, query: TextQuery): Promise<FoundText>
  /**
   * One folder of a commit's tree, folders first, then by name; null when the path is no folder. `''` is the root. Of a
   * very large folder the first `maxListedEntries`.
   */
  listFolder(repositoryId: number, commitId: string, path: string): Promise<readonly TreeEntry[] | null>
  /** The entry at a path of a commit's tree; null when there is none. */
  findEntry(repositoryId: number, commitId: string, path: string): Promise<TreeEntry | null>
  /** Every file of a commit's tree, at most `maxFiles`, else null. */
  listFiles(repositoryId: number, commitId: string, options: { maxFiles: number }): Promise<readonly TreeFile[] | null>
  /** What git prints of every file of a commit, for `parseFileList`; null when that is too long, or took too long. */
  readFileList(repositoryId: number, commitId: string): Promise<Uint8Array | null>
  /** A blob's bytes; null when absent or over `maxBytes`. */
  readBlob(repositoryId: number, objectId: string, options: { maxBytes: number }): Promise<Uint8Array | null>
  /** A file of any size, for a reader who may be slow; null when absent. */
  openBlob(repositoryId: number, objectId: string): Promise<OpenedBlob | null>
  /**
   * Adds commits made by the host, in order, all or none.
   *
   * @throws Error when git refuses them.
   */
  importCommits(repositoryId: number, commits: readonly ImportedCommit[]): Promise<void>
  /**
   * Makes a commit and moves its branch to it, as a push would: checked, whole or not at all.
   *
   * @throws TooManyWaiting, or Error when its parent is not there, or git fails otherwise than by refusing.
   */
  pushCommit(repositoryId: number, commit: PushedCommit): Promise<PushCommitOutcome>
  /** Merges two texts that began as the same one, for `readMerge`; null when that fails. */
  mergeTexts(versions: TextVersions): Promise<MergeOutput | null>
  /** How far a commit is from another; null when one of them is missing, or git took too long. */
  countDistance(repositoryId: number, pair: CommitPair): Promise<Distance | null>
  /** Commits that branches and tags reach, up to `maxCountedCommits` and one; null when git took too long. */
  countCommits(repositoryId: number): Promise<number | null>
  /**
   * Moves refs, all or none; false when one of them was not where it should be, or its name cannot be.
   *
   * @throws Error for an invalid name.
   */
  changeRefs(repositoryId: number, changes: readonly RefChange[]): Promise<boolean>
  /** Packs the files of a commit that is known to be there. */
  openArchive(repositoryId: number, options: ArchiveOptions): GitStream
  /** Removes those of these new refs whose files a power cut has left empty. */
  removeTornRefs(repositoryId: number, refs: readonly string[]): Promise<void>
  /** Points HEAD at a branch, existing or not. */
  setDefaultBranch(repositoryId: number, name: string): Promise<void>
  /**
   * The answer to `info/refs`, behind `encodeServiceHeader` (pkt-line.ts), without starting git; null when only git can
   * give it.
   */
  advertiseRefs(repositoryId: number, options: AdvertiseOptions): Promise<Iterable<Uint8Array> | null>
  /** The same for the `ls-refs` command of protocol version 2. */
  listRefs(repositoryId: number, request: LsRefs): Promise<Iterable<Uint8Array> | null>
  /**
   * Serves one exchange of the smart HTTP protocol as streams; ended with its process group when `signal` fires.
   *
   * `stdout` is git's own: the answer to `info/refs` begins with `encodeServiceHeader` (pkt-line.ts). A push is checked
   * before it is handed over (`readPushCommands`, `checkPush`).
   */
  servePack(repositoryId: number, options: ServePackOptions): ServedPack
  /** After a push: packs the refs, and collects garbage when there is much of it. Never rejects. */
  maintain(repositoryId: number): Promise<void>
  /** Commits that no branch and no tag reaches. @throws Error when git fails. */
  listUnreachableCommits(
    repositoryId: number,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly UnreachableCommit[]>
  /**
   * Removes them for good; nothing may push meanwhile. A running server notices within `purgeNoticedAfterMs`.
   *
   * @throws Error when git fails.
   */
  purgeRepository(repositoryId: number, options?: { readonly signal?: AbortSignal }): Promise<void>
  /**
   * Removes what crashes left behind: repositories created or deleted in part, stale locks, cut-off pushes; nothing
   * younger than `olderThanMs`, and nothing of a repository on which a git works. Gives the paths removed.
   */
  sweep(options: { readonly olderThanMs: number }): Promise<readonly string[]>
  /** Removes the locks of one repository whose holder has died. Gives how many. */
  removeStaleLocks(repositoryId: number): Promise<number>
  /** Writes HEAD anew where it is damaged: a power cut can leave it empty. Says whether it was. */
  repairHead(repositoryId: number, branch: string): Promise<boolean>
  /** Releases long-lived processes. */
  close(): Promise<void>
}

export interface AdvertiseOptions {
  readonly service: 'upload-pack' | 'receive-pack'
  /** Value of the `Git-Protocol` header if it is `version=0|1|2`. */
  readonly protocol: string | null
}

export interface ServePackOptions extends AdvertiseOptions {
  /** The `info/refs` exchange instead of the pack itself. */
  readonly advertise: boolean
  readonly signal: AbortSignal
  /** Bytes of a push accepted at most. */
  readonly maxInputBytes: number
  /** How many refs a push creates that does nothing else; many are flushed to the disk together. */
  readonly newRefs?: number
  /** Asked once the whole push has arrived and is checked, before a ref moves; false, or a failure, refuses it. */
  readonly admit?: () => Promise<boolean>
}

export interface ServedPack {
  /** Never emits an error that must be handled: git may end before it has read everything. */
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when git has ended. @throws Error when a push that git took could not be flushed to the disk. */
  readonly exit: Promise<{ readonly exitCode: number; readonly stderr: string }>
}
