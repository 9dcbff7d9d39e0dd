import type { Parsers } from '../../base/open-parsers.ts'
import { defineTask } from '../../base/thread-task.ts'
import { readSourceText, unifyLines, type encodeEditedText } from '../../domain/text/source-text.ts'
import type { TextVersions } from '../../git/write/merge-texts.ts'
import type { MergedPart } from '../../git/write/split-place.ts'
import type { readMerge } from '../../git/write/read-merge.ts'
import type { GitStore, TreeEntry } from '../../git/types.ts'
import { findFile } from './find-file.ts'

/** Maximum size of a text that can be edited in the browser. */
export const maxEditedBytes = 1024 * 1024

/** An edited text and the two commits to merge. */
export interface EditedText {
  readonly repositoryId: number
  /** Owner of the repository. */
  readonly ownerId: string
  readonly path: string
  /** The commit at which it was opened. */
  readonly openedId: string
  /** The current head of the branch. */
  readonly headId: string
  readonly text: string
}

/** An edit merged into a later commit. `gone` = at that commit, the file does not exist or is not text. */
export type MergedEdit =
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'merged'
      readonly file: TreeEntry
      readonly bytes: Uint8Array
      readonly parts: readonly MergedPart[]
    }

/** Dependencies of a merge. */
export interface MergeTools {
  readonly git: GitStore
  readonly parsers: Parsers
}

/** Encodes a merged text like the file it replaces. */
export const ENCODE_TEXT = defineTask<typeof encodeEditedText>(
  import.meta.resolve('../../domain/text/source-text.ts'),
  'encodeEditedText',
)

const READ_MERGE = defineTask<typeof readMerge>(import.meta.resolve('../../git/write/read-merge.ts'), 'readMerge')

/** Merges an edit with changes made to the file in the meantime. */
export async function mergeEdit({ git, parsers }: MergeTools, edit: EditedText): Promise<MergedEdit> {
  const [opened, file] = await Promise.all([findAt(git, edit, edit.openedId), findAt(git, edit, edit.headId)])
  if (file === null || (file.kind !== 'file' && file.kind !== 'executable')) return { kind: 'gone' }
  const bytes = await git.readBlob(edit.repositoryId, file.objectId, { maxBytes: maxEditedBytes })
  const theirs = bytes === null ? null : readSourceText(bytes)
  if (bytes === null || theirs === null) return { kind: 'gone' }
  const mine = unifyLines(edit.text)
  if (opened?.objectId === file.objectId || mine === theirs)
    return { kind: 'merged', file, bytes, parts: [{ kind: 'settled', text: mine }] }
  // If the base commit is missing, every difference is a conflict.
  const base = opened === null ? '' : await readText(git, edit.repositoryId, opened)
  const parts = await mergeVersions({ git, parsers }, { base, mine, theirs }, edit.ownerId)
  return { kind: 'merged', file, bytes, parts }
}

/** Merges two versions of a text. One that cannot be merged is one conflict: the user chooses between the two. */
export async function mergeVersions(
  { git, parsers }: MergeTools,
  versions: TextVersions,
  ownerId: string,
): Promise<readonly MergedPart[]> {
  const { mine, theirs } = versions
  const output = await git.mergeTexts(versions)
  const read = output && (await parsers.run(READ_MERGE, { ...output, mine, theirs }, { ownerId }))
  const parts: readonly MergedPart[] = read?.kind === 'done' ? read.value : [{ kind: 'place', mine, theirs }]
  return mine.endsWith('\n') || theirs.endsWith('\n') ? parts : openEnd(parts)
}

/** The merged text; null if there are conflicts. */
export function settledText(parts: readonly MergedPart[]): string | null {
  const texts = parts.map((part) => (part.kind === 'settled' ? part.text : null))
  return texts.includes(null) ? null : texts.join('')
}

function findAt(git: GitStore, { repositoryId, path }: EditedText, commitId: string): Promise<TreeEntry | null> {
  return findFile(git, repositoryId, { commitId, path })
}

async function readText(git: GitStore, repositoryId: number, { objectId }: TreeEntry): Promise<string> {
  const bytes = await git.readBlob(repositoryId, objectId, { maxBytes: maxEditedBytes })
  return (bytes === null ? null : readSourceText(bytes)) ?? ''
}

/** Merging ends every text with a newline. If neither version had one, the last is removed again. */
function openEnd(parts: readonly MergedPart[]): readonly MergedPart[] {
  const last = parts.at(-1)
  if (last?.kind !== 'settled') return parts
  return [...parts.slice(0, -1), { kind: 'settled', text: last.text.replace(/\n$/, '') }]
}
