import { squeeze, squeezeLines } from '../squeeze.ts'
import type { SourceTexts } from '../source-texts.ts'
import type { Fault, Place } from './places.ts'

/** The end of the text that TeX had read; shorter ones occur everywhere. */
const TAIL_LENGTHS: readonly number[] = [30, 15, 8, 4]
/** Fields that are typeset as text. Addresses and identifiers may contain any character. */
const TEXT_FIELD =
  /^\s*(?:title|subtitle|booktitle|journal|journaltitle|author|editor|publisher|series|note|address|location|institution|organization|school|howpublished|abstract|annote)\s*=/i

/**
 * The line of the `.bib` file behind an error in the bibliography: TeX reads the text from a file that BibTeX or biber
 * wrote, and reports the command that prints it.
 */
export function findInBibliography(fault: Fault): (Place & { readonly note?: string }) | null {
  const { error, sources } = fault
  const symbol = symbolOf(error.message)
  const databases = sources.files.filter((file) => file.endsWith('.bib'))
  if (databases.length === 0) return null
  const isInside = isInBibliography(fault)
  // Only biblatex has these commands, in a file that TeX has closed when it reports that it ended.
  if (UNCLOSED.test(error.message) && (isInside || error.message.startsWith('File ended'))) {
    const place = findField(databases, sources, (line) => /(?<!\\)%/.test(line))
    if (place !== null) return { ...place, note: 'Here "%" begins a comment that contains the missing "}".' }
  }
  if (!isInside) return null
  const read = error.inner !== null && error.inner.name === '<argument>' ? error.inner.before : error.lineBefore
  const place = findText(squeeze(asTyped(read.replace(/\\newblock\b/g, ''))), databases, sources)
  if (place !== null) return place
  if (symbol === null) return null
  const found = findField(databases, sources, (line) => symbol.test(withoutFormulas(line)))
  if (found !== null || error.message !== 'Missing $ inserted.') return found
  return findField(databases, sources, (line) => line.replace(/\\./g, '').split('$').length % 2 === 0)
}

/** Where the end of a squeezed text is in the databases. */
function findText(text: string, databases: readonly string[], sources: SourceTexts): Place | null {
  // BibTeX breaks lines where the database does not.
  const searched = databases.map((file) => ({ file, all: squeezeLines(sources.lines(file).map(asTyped), 1, Infinity) }))
  for (const length of TAIL_LENGTHS) {
    const tail = text.slice(-length)
    if (tail.length < length && tail.length < 4) continue
    for (const { file, all } of searched) {
      const index = all.text.indexOf(tail)
      if (index >= 0) return { file, line: all.lineAt(index + tail.length - 1) }
    }
  }
  return null
}

/** Text without the changes of BibTeX: it joins names with ties, and some styles change the case of titles. */
function asTyped(text: string): string {
  return text.replaceAll('~', ' ').toLowerCase()
}

/** Errors for a field whose closing brace is commented out by a "%". */
const UNCLOSED =
  /^(?:Missing \} inserted|(?:File ended while scanning use of|Paragraph ended before) \\(?:field|name|list))/

/** The first field of text that applies. */
function findField(
  databases: readonly string[],
  sources: SourceTexts,
  applies: (line: string) => boolean,
): Place | null {
  for (const file of databases) {
    const index = sources.lines(file).findIndex((line) => textFieldsOf(line).some(applies))
    if (index >= 0) return { file, line: index + 1 }
  }
  return null
}

/** The fields of text in a line: one field and the rest of the line, or the fields of a whole entry. */
function textFieldsOf(line: string): readonly string[] {
  if (TEXT_FIELD.test(line)) return [line]
  return line.split(/,(?=\s*[\w-]+\s*=)/).filter((field) => TEXT_FIELD.test(field))
}

function isInBibliography({ position, reported, sources }: Fault): boolean {
  if ([position.loaded, position.top].some((open) => open?.name.endsWith('.bbl'))) return true
  const { file, line } = reported
  if (line === null) return false
  // TeX looks for an option of \printbibliography in the next line.
  return sources
    .code(file)
    .slice(Math.max(0, line - 2), line)
    .some((text) => text.includes('\\printbibliography'))
}

function symbolOf(message: string): RegExp | null {
  const character = /^LaTeX Error: Unicode character (\P{ASCII}) \(U\+/u.exec(message)?.[1]
  if (character !== undefined) return new RegExp(character, 'u')
  if (message === 'Missing $ inserted.') return /(?<!\\)[_^]/
  return message.startsWith('Misplaced alignment tab') ? /(?<!\\)&/ : null
}

function withoutFormulas(line: string): string {
  return line.replace(/\$[^$]*\$/g, '')
}
