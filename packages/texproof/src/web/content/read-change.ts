import { LRUCache } from 'lru-cache'

import type { ChangedFile, Patch } from '../../git/read-patch.ts'
import { decodeText } from './decode-text.ts'
import { parsePatch, type PatchedFile, type PatchHunk } from './parse-patch.ts'

/** One file of a change, with its lines as far as they were read. */
export interface FileChange extends ChangedFile {
  readonly state: 'added' | 'removed' | 'renamed' | 'changed'
  readonly isBinary: boolean
  /** null = the text of the change ended before this file did. */
  readonly hunks: readonly PatchHunk[] | null
}

type TextPatch = Patch & { readonly kind: 'text' }

/** What was read lately, by the patch that git gave; the lines take some five times the text they were read from. */
const read = new LRUCache<TextPatch, readonly FileChange[]>({
  maxSize: 8 * 1024 * 1024,
  sizeCalculation: (_files, { bytes }) => 500 + bytes.length,
})

/** Joins the list of files with the lines: git writes both in the same order. */
export function readChange(patch: TextPatch): readonly FileChange[] {
  const files = read.get(patch) ?? joinFiles(patch)
  read.set(patch, files)
  return files
}

function joinFiles(patch: TextPatch): readonly FileChange[] {
  const parsed = joinReplaced(parsePatch(decodeText(patch.bytes)))
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

/** Of a file that became a link, or the other way round, git writes two pieces: the old one goes, the new one comes. */
function joinReplaced(pieces: readonly PatchedFile[]): readonly PatchedFile[] {
  return pieces.flatMap((piece, at) => {
    if (isReplaced(pieces[at - 1], piece)) return []
    const next = pieces[at + 1]
    if (next === undefined || !isReplaced(piece, next)) return [piece]
    const isBinary = piece.isBinary || next.isBinary
    return [{ oldPath: piece.oldPath, newPath: next.newPath, isBinary, hunks: [...piece.hunks, ...next.hunks] }]
  })
}

function isReplaced(gone: PatchedFile | undefined, come: PatchedFile): boolean {
  return gone?.newPath === null && come.oldPath === null && gone.oldPath === come.newPath
}
