import type { ChangedFile, Patch } from '../../git/read-patch.ts'
import { decodeText } from './decode-text.ts'
import { parsePatch, type PatchHunk } from './parse-patch.ts'

/** One file of a change, with its lines as far as they were read. */
export interface FileChange extends ChangedFile {
  readonly state: 'added' | 'removed' | 'renamed' | 'changed'
  readonly isBinary: boolean
  /** null = the text of the change ended before this file did. */
  readonly hunks: readonly PatchHunk[] | null
}

/** Joins the list of files with the lines: git writes both in the same order. */
export function readChange(patch: Patch & { readonly kind: 'text' }): readonly FileChange[] {
  const parsed = parsePatch(decodeText(patch.bytes))
  // Where the text was cut off, the last file in it is not all there.
  const readable = patch.isWhole ? parsed : parsed.slice(0, -1)
  return patch.files.map((file, index) => {
    const found = readable[index]
    const state =
      found?.oldPath === null
        ? 'added'
        : found?.newPath === null
          ? 'removed'
          : file.oldPath === file.path
            ? 'changed'
            : 'renamed'
    return { ...file, state, isBinary: file.added === null, hunks: found?.hunks ?? null }
  })
}
