import type { ErrorInLog } from '../engine/read-error.ts'
import type { FilePosition } from '../engine/file-stack.ts'
import type { SourceTexts } from '../source-texts.ts'

/** A line of one of the user's files, 1-based; the line is null if it is unknown. */
export interface Place {
  readonly file: string
  readonly line: number | null
}

/** An error and the place that TeX reported, to be looked up in the source. */
export interface Fault {
  readonly error: ErrorInLog
  readonly reported: Place
  readonly position: FilePosition
  readonly sources: SourceTexts
}

/** The reported file, then the open ones, then all others: the order in which a place is looked for. */
export function filesToSearch({
  reported,
  position,
  sources,
}: Pick<Fault, 'reported' | 'position' | 'sources'>): readonly string[] {
  const near = [reported.file, ...position.userFiles].filter((file) => sources.has(file))
  return [...new Set([...near, ...listDocuments(sources)])]
}

/** The user's TeX files, without data. */
export function listDocuments(sources: SourceTexts): readonly string[] {
  return sources.files.filter((file) => /\.(?:tex|ltx|latex|sty|cls|clo|def|cfg|tikz|pgf|inc|bbl|dtx|rtx)$/i.test(file))
}
