import type { ChangedFile } from '../../git/history/read-patch.ts'
import { decodeLines } from '../content/decode-text.ts'
import { parsePatch, type PatchedFile, type PatchHunk } from './parse-patch.ts'

/** One file of a change, with the lines read. */
export interface FileChange extends ChangedFile {
  readonly state: 'added' | 'removed' | 'renamed' | 'changed'
  readonly isBinary: boolean
  /** null = the text was cut off before this file. */
  readonly hunks: readonly PatchHunk[] | null
}

/** Output of git for a change. */
interface ChangeText {
  readonly files: readonly ChangedFile[]
  /** Unified diff of the files, in the same order. */
  readonly bytes: Uint8Array
  /** False if the text was cut off for its length. */
  readonly isWhole: boolean
}

/** Joins the list of files with their lines; git prints both in the same order. */
export function readChange(patch: ChangeText): readonly FileChange[] {
  const parsed = joinReplaced(parsePatch(decodeLines(patch.bytes)))
  // In a text that was cut off, the last file is incomplete.
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

/** Joins the deletion and the creation that git prints for a file that became a symbolic link, or the reverse. */
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
