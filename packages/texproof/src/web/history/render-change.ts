/**
 * Renders a change as HTML rows in a worker thread: parsing a patch and comparing the words of its lines cost far more
 * than inserting the rows into a page.
 */
import type { ChangedFile } from '../../git/history/read-patch.ts'
import { readChange, type FileChange } from './read-change.ts'
import { renderHunk, type RenderedHunk } from './render-hunk.ts'
import { createWordComparison } from './word-changes.ts'

/** Lines shown of one change, over all files. */
const MAX_LINES = 1_200
/** Lines of one file shown by default. */
const MAX_FILE_LINES = 400
/** Lines of a file shown alone. */
const MAX_LINES_ALONE = 5_000
/** Files shown, and the length of their paths: each path occurs about six times on a page. */
const MAX_FILES = 300
const MAX_PATHS_LENGTH = 100_000

/** Files whose lines are paragraphs, so words are compared. */
const PROSE = /\.(?:tex|ltx|bib|md|txt|rst)$/i

/** Output of git for a change, and the display options. */
export interface ChangeSource {
  readonly files: readonly ChangedFile[]
  readonly bytes: Uint8Array
  readonly isWhole: boolean
  readonly isSplit: boolean
  /** The one file to show, however long; null = all of them. */
  readonly file: string | null
  readonly hasWords: boolean
}

/** The part of a changed file that is shown. */
export interface RenderedFile extends Omit<FileChange, 'hunks'> {
  /** null = too long to be shown with the others. */
  readonly hunks: readonly RenderedHunk[] | null
  /** Lines left out of a file that is shown. */
  readonly omittedLines: number
}

/** The part of a change that is shown. */
export interface RenderedChange {
  readonly files: readonly RenderedFile[]
  readonly fileCount: number
  readonly added: number
  readonly removed: number
}

/** Renders the files of a change up to the limits of a page. */
export function renderChange(source: ChangeSource): RenderedChange {
  const { files, file: asked, isSplit, hasWords } = source
  const compareWords = createWordComparison()
  let left = MAX_LINES
  let pathsLeft = MAX_PATHS_LENGTH
  const rendered = readChange(source)
    .filter(({ path }) => asked === null || path === asked)
    .slice(0, MAX_FILES)
    .filter(({ oldPath, path }) => (pathsLeft -= oldPath.length + path.length) >= 0)
    .map(({ hunks, ...file }): RenderedFile => {
      const count = hunks?.reduce((sum, { lines }) => sum + lines.length, 0) ?? null
      const isShown = count !== null && (asked !== null || (count <= left && count <= MAX_FILE_LINES))
      if (hunks === null || !isShown) return { ...file, hunks: null, omittedLines: 0 }
      left -= count
      const shown = takeLines(hunks, MAX_LINES_ALONE)
      const words = hasWords && PROSE.test(file.path) ? compareWords : null
      return {
        ...file,
        hunks: shown.map((hunk) => renderHunk(hunk, { isSplit, words: words?.(hunk.lines) ?? new Map() })),
        omittedLines: Math.max(0, count - MAX_LINES_ALONE),
      }
    })
  return {
    files: rendered,
    fileCount: files.length,
    added: files.reduce((sum, { added }) => sum + (added ?? 0), 0),
    removed: files.reduce((sum, { removed }) => sum + (removed ?? 0), 0),
  }
}

/** The hunks up to a number of lines. */
function takeLines(hunks: NonNullable<FileChange['hunks']>, limit: number): NonNullable<FileChange['hunks']> {
  let left = limit
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left)
    left -= lines.length
    return lines.length === 0 ? [] : [{ ...hunk, lines }]
  })
}
