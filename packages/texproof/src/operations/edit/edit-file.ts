import { readSourceText } from '../../domain/text/source-text.ts'
import type { MergedPart } from '../../git/write/split-place.ts'
import { TooManyWaiting } from '../../base/limiter.ts'
import type { FileChange } from '../../git/types.ts'
import { commitOnBranch } from './commit-on-branch.ts'
import type { CommitOutcome, CommitStores, CommitTarget } from './commit-on-branch.ts'
import { checkFileLocation } from './check-file-location.ts'
import { ENCODE_TEXT, maxEditedBytes, mergeEdit, settledText, type MergeTools } from './merge-edit.ts'

/** An edited text file. */
export interface FileEdit extends CommitTarget {
  readonly openedId: string
  readonly path: string
  /** The path after the edit; differs from `path` if the file is renamed. */
  readonly newPath: string
  readonly text: string
  /** Texts of other files for the same commit. @default none */
  readonly others?: readonly OtherText[]
}

/** An edited text of another file. */
export interface OtherText {
  readonly path: string
  readonly openedId: string
  readonly text: string
}

/**
 * The outcome of an edit. `there` = the branch has the text already, because the form was submitted twice. `conflict` =
 * the same places were changed in the meantime: `parts` is the text with the conflicts. `gone` = at `headId`, the file
 * does not exist or is not text. `others` = texts of other files cannot be part of the commit.
 */
export type EditOutcome = CommitOutcome | EditStop

type EditStop = TextStop | { readonly kind: 'others'; readonly stopped: readonly StoppedText[] }

/** A text that cannot be committed, and the reason for the user. */
export interface StoppedText {
  readonly path: string
  readonly problem: string
}

type TextStop =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'there' }
  | { readonly kind: 'conflict'; readonly headId: string; readonly parts: readonly MergedPart[] }
  | { readonly kind: 'gone'; readonly headId: string }
  | { readonly kind: 'refused'; readonly field: 'path' | 'text' | null; readonly problem: string }

/** Commits an edited text, merged with changes made to the file in the meantime. */
export function editFile(stores: CommitStores & MergeTools, edit: FileEdit): Promise<EditOutcome> {
  return commitOnBranch<EditStop>(stores, edit, (headId) => composeEdits(stores, edit, headId ?? edit.openedId))
}

type ComposedText = TextStop | { readonly kind: 'changes'; readonly changes: readonly FileChange[] }
type ComposedEdit = EditStop | ComposedText

/** The changes of all texts. The other texts are committed even if the edited text is unchanged. */
async function composeEdits(stores: CommitStores & MergeTools, edit: FileEdit, headId: string): Promise<ComposedEdit> {
  const composed = await composeEdit(stores, edit, headId)
  const isGoodSoFar = composed.kind === 'changes' || composed.kind === 'unchanged' || composed.kind === 'there'
  if (!isGoodSoFar || edit.others === undefined || edit.others.length === 0) return composed
  const changes = composed.kind === 'changes' ? [...composed.changes] : []
  const stopped: StoppedText[] = []
  for (const other of edit.others) {
    const each = await composeEdit(stores, { ...edit, ...other, newPath: other.path }, headId)
    if (each.kind === 'changes') changes.push(...each.changes)
    else if (each.kind !== 'unchanged' && each.kind !== 'there')
      stopped.push({ path: other.path, problem: describeStop(other.path, each) })
  }
  if (stopped.length > 0) return { kind: 'others', stopped }
  return changes.length === 0 ? composed : { kind: 'changes', changes }
}

/** Why another file cannot be part of the commit. */
function describeStop(path: string, stop: Exclude<TextStop, { readonly kind: 'unchanged' | 'there' }>): string {
  if (stop.kind === 'refused') return `${path}: ${stop.problem}`
  const what = stop.kind === 'conflict' ? 'conflicts with newer commits' : 'belongs to a file that was deleted'
  return `The draft of "${path}" ${what}.`
}

async function composeEdit(stores: CommitStores & MergeTools, edit: FileEdit, headId: string): Promise<ComposedText> {
  const { git, parsers } = stores
  const { repository, path, newPath, openedId, text } = edit
  const ownerId = repository.owner.id
  if (text.includes('\0')) return refuse('text', 'The text contains a null character. Remove it.')
  const merged = await mergeEdit(stores, { repositoryId: repository.id, ownerId, path, openedId, headId, text })
  const isMoved = newPath !== path
  if (merged.kind === 'gone')
    return { kind: (await isMovedAlready(stores, edit, headId)) ? 'there' : 'gone', headId } as const
  const whole = settledText(merged.parts)
  if (whole === null) return { kind: 'conflict', headId, parts: merged.parts } as const
  const encoded = await parsers.run(ENCODE_TEXT, { text: whole, before: merged.bytes }, { ownerId })
  if (encoded.kind !== 'done') throw new TooManyWaiting()
  const bytes = encoded.value
  if (bytes.byteLength > maxEditedBytes)
    return refuse('text', 'The text is larger than 1 MB. Split the file, or push it.')
  if (!isMoved && Buffer.compare(bytes, merged.bytes) === 0)
    return { kind: headId === openedId ? 'unchanged' : 'there' } as const
  const place = isMoved
    ? await checkFileLocation(git, { repositoryId: repository.id, commitId: headId, path: newPath })
    : null
  if (place?.kind === 'refused') return refuse('path', place.problem)
  if (place?.kind === 'file') return refuse('path', `A file "${newPath}" already exists. Choose another name.`)
  const write = { kind: 'write', path: newPath, bytes, isExecutable: merged.file.kind === 'executable' } as const
  const changes: readonly FileChange[] = isMoved ? [{ kind: 'remove', path }, write] : [write]
  return { kind: 'changes', changes } as const
}

/** Whether the form was submitted twice and the file is renamed already. */
async function isMovedAlready(stores: MergeTools, edit: FileEdit, headId: string): Promise<boolean> {
  const { repository, path, newPath, openedId, text } = edit
  if (newPath === path) return false
  const place = { repositoryId: repository.id, ownerId: repository.owner.id, path: newPath, openedId, headId, text }
  const moved = await mergeEdit(stores, place)
  return moved.kind === 'merged' && settledText(moved.parts) === readSourceText(moved.bytes)
}

function refuse(field: 'path' | 'text' | null, problem: string) {
  return { kind: 'refused', field, problem } as const
}
