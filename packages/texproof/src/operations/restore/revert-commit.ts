/**
 * Reverts a commit: applies the reverse of its changes to a branch. Later changes to other places of the same files are
 * kept. Like `git revert`, but without a working copy, and without looking for renamed files.
 */
import { readSourceText } from '../../domain/text/source-text.ts'
import type { ListedChange } from '../../git/history/list-changes.ts'
import type { FileChange, TreeItem } from '../../git/types.ts'
import { commitOnBranch, refuseUnreadableNames } from '../edit/commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from '../edit/commit-on-branch.ts'
import { ENCODE_TEXT, maxEditedBytes, mergeVersions, settledText, type MergeTools } from '../edit/merge-edit.ts'
import { toFileChanges } from './to-file-changes.ts'

/** A commit to revert, against its first parent. */
export interface RevertedCommit extends CommitTarget {
  readonly openedId: string
  readonly commitId: string
  readonly parentId: string
}

/**
 * The outcome. `there` = the branch has nothing left of the commit. `conflict` = later commits changed the same places of
 * these files. `too-large` = too many files differ.
 */
export type RevertOutcome = CommitOutcome | RevertStop

type RevertStop =
  | { readonly kind: 'there' }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'too-large' }

/** Files whose texts are merged; more are conflicts. */
const MAX_MERGED = 100
/** Deeper files that the commit deleted are conflicts. */
const MAX_DEPTH = 32

/** Commits the reverse of a commit to a branch, all of it or nothing. */
export function revertCommit(stores: CommitStores & MergeTools, reverted: RevertedCommit): Promise<RevertOutcome> {
  const { git } = stores
  const { repository, commitId, parentId, openedId } = reverted
  return commitOnBranch<RevertStop | CommitOutcome>(stores, reverted, async (headId) => {
    const [undone, later] = await Promise.all([
      git.listChanges(repository.id, { fromCommitId: commitId, toCommitId: parentId, path: '' }),
      git.listChanges(repository.id, { fromCommitId: commitId, toCommitId: headId ?? openedId, path: '' }),
    ])
    if (undone === null || later === null) return { kind: 'too-large' }
    // Two such names may be read as the same path.
    const unreadable = refuseUnreadableNames(undone.map(({ path }) => path))
    return unreadable ?? composeRevert(stores, reverted, { undone, later })
  })
}

/** Changes of the reverted commit, and of later commits. */
interface Changes {
  readonly undone: readonly ListedChange[]
  readonly later: readonly ListedChange[]
}

async function composeRevert(
  tools: MergeTools,
  { repository }: RevertedCommit,
  { undone, later }: Changes,
): Promise<RevertStop | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }> {
  const laterAt = new Map(later.map(({ path, after }) => [path, after]))
  const laterPaths = later.flatMap(({ path, after }) => (after === null ? [] : [path])).toSorted()
  const changes: FileChange[] = []
  const conflicts: string[] = []
  let merges = 0
  for (const { path, before, after } of undone) {
    const present = laterAt.has(path) ? (laterAt.get(path) ?? null) : before
    if (isSame(present, after)) continue
    if (isSame(present, before) && (before !== null || !isTaken(path, laterPaths))) {
      changes.push(...toFileChanges([{ path, item: after }]))
      continue
    }
    const versions = { base: before, mine: present, theirs: after }
    const merged = (merges += 1) <= MAX_MERGED ? await mergeFiles(tools, repository, versions) : null
    if (merged === null) conflicts.push(path)
    else if (merged !== 'unchanged') changes.push({ path, ...merged })
  }
  if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts }
  return changes.length === 0 ? { kind: 'there' } : { kind: 'changes', changes }
}

/** Whether a file would replace a folder, or a folder above it a file. `paths`: the paths of later files, sorted. */
function isTaken(path: string, paths: readonly string[]): boolean {
  const isFile = (wanted: string): boolean => paths[findPlace(paths, wanted)] === wanted
  const folders = path.split('/').slice(0, -1)
  // Comparing takes time for each folder.
  if (folders.length > MAX_DEPTH) return true
  const inside = paths[findPlace(paths, `${path}/`)]
  return inside?.startsWith(`${path}/`) === true || folders.some((_, at) => isFile(folders.slice(0, at + 1).join('/')))
}

/** Index of the first path that is not before `wanted`. */
function findPlace(paths: readonly string[], wanted: string): number {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((paths[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}

function isSame(one: TreeItem | null, other: TreeItem | null): boolean {
  return one?.objectId === other?.objectId && one?.kind === other?.kind
}

/** Outcome of the revert for one file. */
type MergedFile =
  | { readonly kind: 'place'; readonly item: TreeItem }
  | { readonly kind: 'write'; readonly bytes: Uint8Array; readonly isExecutable: boolean }

type Versions<Value> = Readonly<Record<'base' | 'mine' | 'theirs', Value>>

/**
 * Merges content and mode of a file. `unchanged` = it has nothing left to undo. Null = a conflict: the file is in none of the
 * versions, is not text, or both changed the same lines.
 */
async function mergeFiles(
  tools: MergeTools,
  repository: RevertedCommit['repository'],
  { base, mine, theirs }: Versions<TreeItem | null>,
): Promise<MergedFile | 'unchanged' | null> {
  if (!isFile(base) || !isFile(mine) || !isFile(theirs)) return null
  // There are only two modes, so they cannot conflict.
  const kind = theirs.kind === base.kind ? mine.kind : theirs.kind
  const isExecutable = kind === 'executable'
  if (theirs.objectId === base.objectId || theirs.objectId === mine.objectId)
    return kind === mine.kind ? 'unchanged' : { kind: 'place', item: { kind, objectId: mine.objectId } }
  if (mine.objectId === base.objectId) return { kind: 'place', item: { kind, objectId: theirs.objectId } }
  const merged = await mergeContents(tools, repository, { base, mine, theirs })
  if (merged === null) return null
  const isSameContent = Buffer.compare(merged.bytes, merged.present) === 0
  return isSameContent && kind === mine.kind ? 'unchanged' : { kind: 'write', bytes: merged.bytes, isExecutable }
}

function isFile(item: TreeItem | null): item is TreeItem {
  return item?.kind === 'file' || item?.kind === 'executable'
}

/** The merged bytes and the bytes of `mine`; null if one of the files is not text, or there are conflicts. */
async function mergeContents(
  { git, parsers }: MergeTools,
  { id, owner }: RevertedCommit['repository'],
  { base, mine, theirs }: Versions<TreeItem>,
): Promise<{ readonly bytes: Uint8Array; readonly present: Uint8Array } | null> {
  const read = (item: TreeItem) => readTextFile(git, id, item)
  const [baseFile, mineFile, theirFile] = await Promise.all([read(base), read(mine), read(theirs)])
  if (baseFile === null || mineFile === null || theirFile === null) return null
  // They differ in line endings only, which a merge of texts ignores.
  if (baseFile.text === theirFile.text) return null
  const versions = { base: baseFile.text, mine: mineFile.text, theirs: theirFile.text }
  const text = settledText(await mergeVersions({ git, parsers }, versions, owner.id))
  if (text === null) return null
  const encoded = await parsers.run(ENCODE_TEXT, { text, before: mineFile.bytes }, { ownerId: owner.id })
  return encoded.kind === 'done' ? { bytes: encoded.value, present: mineFile.bytes } : null
}

async function readTextFile(
  git: MergeTools['git'],
  repositoryId: number,
  { objectId }: TreeItem,
): Promise<{ readonly bytes: Uint8Array; readonly text: string } | null> {
  const bytes = await git.readBlob(repositoryId, objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  return bytes === null || text === null ? null : { bytes, text }
}
