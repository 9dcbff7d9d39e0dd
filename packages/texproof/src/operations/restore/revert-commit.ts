/**
 * Reverts a commit: applies the reverse of its changes to a branch. Later changes to other places of the same files are
 * kept. Like `git revert`, but without a working copy, and without looking for renamed files.
 */
import { readSourceText } from '../../domain/text/source-text.ts'
import type { ListedChange } from '../../git/history/list-changes.ts'
import type { FileChange, TreeItem } from '../../git/types.ts'
import { commitOnBranch } from '../edit/commit-on-branch.ts'
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
  return commitOnBranch<RevertStop>(stores, reverted, async (headId) => {
    const [undone, later] = await Promise.all([
      git.listChanges(repository.id, { fromCommitId: commitId, toCommitId: parentId, path: '' }),
      git.listChanges(repository.id, { fromCommitId: commitId, toCommitId: headId ?? openedId, path: '' }),
    ])
    if (undone === null || later === null) return { kind: 'too-large' }
    return composeRevert(stores, reverted, { undone, later })
  })
}

/** What the reverse of the commit changes, and what later commits changed. */
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
    const bytes = (merges += 1) <= MAX_MERGED ? await mergeFiles(tools, repository, versions) : null
    if (bytes === null) conflicts.push(path)
    else changes.push({ kind: 'write', path, bytes, isExecutable: present?.kind === 'executable' })
  }
  if (conflicts.length > 0) return { kind: 'conflict', paths: conflicts }
  return changes.length === 0 ? { kind: 'there' } : { kind: 'changes', changes }
}

/** Whether a file would replace a folder, or a folder above it a file. `paths`: those of later files, sorted. */
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

/** The merged text of a file; null if it is in none of the versions, is no text, or has conflicts. */
async function mergeFiles(
  { git, parsers }: MergeTools,
  { id, owner }: RevertedCommit['repository'],
  { base, mine, theirs }: Readonly<Record<'base' | 'mine' | 'theirs', TreeItem | null>>,
): Promise<Uint8Array | null> {
  const read = (item: TreeItem | null) => readTextFile(git, id, item)
  const [baseFile, mineFile, theirFile] = await Promise.all([read(base), read(mine), read(theirs)])
  if (baseFile === null || mineFile === null || theirFile === null) return null
  const versions = { base: baseFile.text, mine: mineFile.text, theirs: theirFile.text }
  const text = settledText(await mergeVersions({ git, parsers }, versions, owner.id))
  if (text === null) return null
  const encoded = await parsers.run(ENCODE_TEXT, { text, before: mineFile.bytes }, { ownerId: owner.id })
  return encoded.kind === 'done' ? encoded.value : null
}

async function readTextFile(
  git: MergeTools['git'],
  repositoryId: number,
  item: TreeItem | null,
): Promise<{ readonly bytes: Uint8Array; readonly text: string } | null> {
  if (item?.kind !== 'file' && item?.kind !== 'executable') return null
  const bytes = await git.readBlob(repositoryId, item.objectId, { maxBytes: maxEditedBytes })
  const text = bytes === null ? null : readSourceText(bytes)
  return bytes === null || text === null ? null : { bytes, text }
}
