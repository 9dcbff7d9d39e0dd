/**
 * LaTeX prints `No file main.ind.` at \printindex in each first pass, where it means nothing, and if the preamble has no
 * \makeindex: then \index does nothing, the document has no index, and nothing else says why.
 *
 * A warning that is wrong would be worse than none, so nothing may hint at another way to write the index.
 */
import type { FilePosition } from './engine/file-stack.ts'
import type { SourceTexts } from './source-texts.ts'
import { listDocuments, type Place } from './locate/places.ts'

/** Messages of \makeindex in LaTeX, memoir, imakeidx and index; after \nofiles there is none. */
const WRITTEN = /^(?:Package index Info: )?Writing index file |^No auxiliary output files\./
/** Packages that write indexes with commands of their own. */
const OTHER_PACKAGE = /^Package: (?:doc|hvindex|imakeidx|index|indextools|manyind|multind|repeatindex|splitidx) /

const PRINT_INDEX = /\\printindex(?![A-Za-z@])/
const MAKE_INDEX = /\\makeindex(?![A-Za-z@])/

/** Whether a notice of LaTeX is about the index. */
export function isNoIndex(message: string): boolean {
  return message.startsWith('No file ') && message.endsWith('.ind.')
}

/**
 * The \printindex that LaTeX has just read, if nothing writes the index; null if something does or could.
 *
 * Linear in the size of the log and the sources: call it once for a log.
 */
export function findPrintIndex(
  position: FilePosition,
  { lines, sources }: { readonly lines: readonly string[]; readonly sources: SourceTexts },
): Place | null {
  if (position.loaded !== null) return null
  // At the end of a file, \printindex of memoir looks for its argument in the next one.
  const files = [position.userFile, ...(position.lastClosed === null ? [] : [position.lastClosed])]
  const file = files.find((name) => findLine(sources, name, PRINT_INDEX) !== null)
  if (file === undefined) return null
  if (lines.some((line) => WRITTEN.test(line) || OTHER_PACKAGE.test(line))) return null
  if (listDocuments(sources).some((name) => findLine(sources, name, MAKE_INDEX) !== null)) return null
  return { file, line: findLine(sources, file, PRINT_INDEX) }
}

/** The first line of a file that matches, counted from 1. */
function findLine(sources: SourceTexts, file: string, pattern: RegExp): number | null {
  const at = sources.code(file).findIndex((line) => pattern.test(line))
  return at === -1 ? null : at + 1
}
