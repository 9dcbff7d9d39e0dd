/**
 * BibTeX's `.blg`. An error ends in `---line N of file F` and shows the text it had read on lines that begin ` :`; a
 * warning begins `Warning--`. Instead of lines of the `.aux` file, which do not help an author, the place in the source is looked up.
 */

import { createBibliographyPlaces, type BibliographyPlace, type BibliographyPlaces } from './find-bibliography-place.ts'
import { readToolLines } from '../read-log-lines.ts'
import type { Diagnostics } from '../types.ts'
import type { LatexError, LatexWarning } from '../../base/types.ts'

/** Parses a `.blg` that BibTeX wrote. */
export function parseBibtexLog(log: Uint8Array, sources: ReadonlyMap<string, string>): Diagnostics {
  const lines = joinBroken(readToolLines(log))
  const places = createBibliographyPlaces(sources)
  const errors: LatexError[] = []
  const warnings: LatexWarning[] = []
  let at = 0
  while (at < lines.length) {
    const warning = readWarning(lines, at, places)
    const error = warning === null ? readError(lines, at, places) : null
    if (warning !== null && warning.diagnostic !== null) warnings.push(warning.diagnostic)
    if (error !== null) errors.push(error.diagnostic)
    at = warning?.next ?? error?.next ?? at + 1
  }
  return { errors, warnings }
}

interface Reading<Diagnostic> {
  readonly diagnostic: Diagnostic
  readonly next: number
}

/** BibTeX breaks lines at 79 characters after a space and indents the rest by two. */
function joinBroken(lines: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const line of lines) {
    const last = joined[joined.length - 1]
    const isRest = last !== undefined && last.length >= 60 && /^ {2}\S/.test(line) && /^(?:Warning--|[A-Z])/.test(last)
    if (isRest) joined[joined.length - 1] = `${last} ${line.trim()}`
    else joined.push(line)
  }
  return joined
}

function readWarning(
  lines: readonly string[],
  at: number,
  places: BibliographyPlaces,
): Reading<LatexWarning | null> | null {
  const text = /^Warning--(.*)$/.exec(lines[at] ?? '')?.[1]
  if (text === undefined) return null
  // A style of revtex prints the version of its interface.
  if (text.startsWith('jnrlst (dependency')) return { diagnostic: null, next: at + 1 }
  const told = /^(?:--|while executing--)-?line (\d+) of file (.+)$/.exec(lines[at + 1] ?? '')
  const missing = /^I didn't find a database entry for "([^"]+)"/.exec(text)?.[1]
  // REVTeX runs BibTeX for its footnotes, even if the bibliography is written by hand.
  if (missing !== undefined && places.hasItem(missing)) return { diagnostic: null, next: at + 1 }
  const key = / in (\S+)$/.exec(text)?.[1] ?? /\bentry "?([^\s"]+)"?/.exec(text)?.[1]
  const place =
    placeOf(told, places, '') ??
    (missing !== undefined ? places.citation(missing) : key === undefined ? nowhere : places.entry(key))
  const code = missing === undefined ? 'other' : 'undefined-citation'
  return {
    diagnostic: { type: 'warning', code, ...place, message: `BibTeX: ${text}` },
    next: told === null ? at + 1 : at + 2,
  }
}

const nowhere: BibliographyPlace = { file: null, line: null }

/** The place that BibTeX reports, if it is in a file of the user. */
function placeOf(told: RegExpExecArray | null, places: BibliographyPlaces, message: string): BibliographyPlace | null {
  const file = told === null ? null : places.userFile(told[2] ?? '')
  return file === null ? null : places.reported(message, file, Number(told?.[1]))
}

function readError(lines: readonly string[], at: number, places: BibliographyPlaces): Reading<LatexError> | null {
  const line = lines[at] ?? ''
  const sameLine = /^(.*?)---?line (\d+) of file (.+)$/.exec(line)
  const nextLine = /^(?:while executing)?---line (\d+) of file (.+)$/.exec(lines[at + 1] ?? '')
  const isTold = sameLine !== null && sameLine[1] !== '' && sameLine[1] !== 'while executing-'
  const crossReference = /^A bad cross reference---entry "([^"]+)"$/.exec(line)
  if (crossReference !== null) {
    const message = `${line} ${lines[at + 1] ?? ''}`.trim()
    return { diagnostic: errorAt(places.entry(crossReference[1] ?? ''), message, []), next: at + 2 }
  }
  if (isTold) {
    const told = /line (\d+) of file (.+)$/.exec(line)
    const message = (sameLine[1] ?? '').trim()
    const context = contextFrom(lines, at + 1)
    const place = placeOf(told, places, message) ?? citedPlace(message, context, places) ?? nowhere
    return {
      diagnostic: errorAt(place, message, context),
      next: at + 1 + context.length,
    }
  }
  if (nextLine !== null && !line.startsWith(' :')) {
    const context = contextFrom(lines, at + 2)
    const asked = citedPlace(line, context, places) ?? askedPlace(line, places)
    const place = placeOf(nextLine, places, line.trim()) ?? asked
    return { diagnostic: errorAt(place, line.trim(), context), next: at + 2 + context.length }
  }
  const lone =
    /^(?:I found no .*while reading file .*|Aborted at line .*|Sorry---you've exceeded .*|I couldn't open .*|.*---this can't happen)$/.exec(
      line,
    )
  return lone === null ? null : { diagnostic: errorAt(askedPlace(line, places), line.trim(), []), next: at + 1 }
}

/** The command that cites a key with a space, or that names such a file; null for another error. */
function citedPlace(message: string, context: readonly string[], places: BibliographyPlaces): BibliographyPlace | null {
  if (!message.startsWith('White space in argument')) return null
  const cited = /\\citation\{([^{}\s,]+)/.exec(context.join(''))?.[1]
  if (cited !== undefined) return places.citation(cited)
  const [, chapter] = /^\\@input\{([^{}]*)\.aux\}/.exec(brokenText(context)) ?? []
  if (chapter !== undefined) return places.chapter(chapter)
  return /\\bibstyle\{/.test(context.join('')) ? places.command('bibliographystyle') : null
}

/** The text that BibTeX breaks where it stopped, with the rest below its end. */
function brokenText([start = '', rest = '']: readonly string[]): string {
  return start.replace(/^ : /, '') + rest.slice(start.length)
}

/** Place of the command that names a missing database or style, or of an invalid entry. */
function askedPlace(message: string, places: BibliographyPlaces): BibliographyPlace {
  const file = /^I couldn't open (?:database|style) file (\S+)/.exec(message)?.[1]
  if (file !== undefined) return places.request(file)
  const key = / (?:for entry|in entry|in) "?([^\s"]+)"?$/.exec(message)?.[1]
  return key === undefined ? nowhere : places.entry(key)
}

function errorAt(place: BibliographyPlace, message: string, context: readonly string[]): LatexError {
  const shown = context.length === 0 ? null : context.map((line) => line.trimEnd()).join('\n')
  return { type: 'error', ...place, message, context: shown, source: 'bibtex' }
}

function contextFrom(lines: readonly string[], from: number): readonly string[] {
  let at = from
  while (at < Math.min(lines.length, from + 6) && /^(?: : |I'm skipping |\(Error may)/.test(lines[at] ?? '')) at += 1
  return lines.slice(from, at)
}
