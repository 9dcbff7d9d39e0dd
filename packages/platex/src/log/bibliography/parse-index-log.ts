/**
 * Transcripts of makeindex, xindy and bib2gls.
 *
 * makeindex prints `!! Input index error (file = main.idx, line = 3):` and drops that entry, with exit code 0. TeX wrote
 * that file, so the command is looked up in the sources by the error in its argument.
 */
import { listDocuments } from '../locate/places.ts'
import { createSourceTexts, type SourceTexts } from '../source-texts.ts'
import type { Diagnostics } from '../types.ts'
import type { LatexError, LatexWarning } from '../../base/types.ts'

export interface IndexLog {
  readonly tool: 'makeindex' | 'xindy' | 'texindy' | 'bib2gls'
  /** Its log file and what it printed, as text. */
  readonly text: string
  readonly sources: ReadonlyMap<string, string>
}

interface Place {
  readonly file: string | null
  readonly line: number | null
}

const NOWHERE: Place = { file: null, line: null }
const MAX_LINES = 20_000
/** Longer lines are data. */
const MAX_LINE_LENGTH = 10_000

/** Parses the output of an index or glossary tool; never throws. */
export function parseIndexLog(log: IndexLog): Diagnostics {
  const lines = log.text.split('\n').slice(0, MAX_LINES)
  return log.tool === 'makeindex' ? parseMakeindex(lines, log.sources) : parseOther(lines, log.tool)
}

function parseMakeindex(lines: readonly string[], sources: ReadonlyMap<string, string>): Diagnostics {
  const texts = createSourceTexts(sources)
  const placeOfEntry = remembering((character) => findEntry(character, texts))
  const placeOfRange = remembering((sign) => findRange(sign, texts))
  const errors: LatexError[] = []
  const warnings: LatexWarning[] = []
  for (const [at, line] of lines.entries()) {
    const detail = /^\s+-- (.*)$/.exec(lines[at + 1] ?? '')?.[1]
    if (/^!! Input (?:index|style) error /.test(line) && detail !== undefined) {
      const message = `makeindex left out an entry: ${detail}`
      errors.push({ type: 'error', ...placeOfEntry(EXTRA.exec(detail)?.[1]), message, context: line, source: 'latex' })
    }
    if (line.startsWith('## Warning ') && detail !== undefined) {
      const message = `makeindex: ${detail}`
      warnings.push({ type: 'warning', code: 'other', ...placeOfRange(UNMATCHED.exec(detail)?.[1]), message })
    }
    const style = /^\*\* Input style error \(file = (?:\.\/)?(.+?), line = \d+\)/.exec(line)?.[1]
    // makeindex knows older names than some styles of TeX Live use.
    if (style !== undefined && detail !== undefined && sources.has(style)) {
      const message = `makeindex: ${detail.replace(/\.$/, '')} in ${style}`
      warnings.push({ type: 'warning', code: 'other', ...findSpecifier(detail, style, sources), message })
    }
    const absent = /^Index style file (.+?) not found/.exec(line)?.[1]
    if (absent !== undefined) {
      errors.push({
        type: 'error',
        ...findText(absent, sources),
        message: `makeindex: ${line}`,
        context: null,
        source: 'latex',
      })
    }
  }
  return { errors, warnings }
}

/** makeindex counts the lines of a style incorrectly. */
function findSpecifier(detail: string, style: string, sources: ReadonlyMap<string, string>): Place {
  const specifier = /^Unknown specifier (.+?)\.?$/.exec(detail)?.[1]
  const at = (sources.get(style) ?? '')
    .split('\n')
    .findIndex((text) => specifier !== undefined && text.includes(specifier))
  return { file: style, line: at === -1 ? null : at + 1 }
}

/** The first line of a document that contains a name. */
function findText(name: string, sources: ReadonlyMap<string, string>): Place {
  const texts = createSourceTexts(sources)
  for (const file of listDocuments(texts)) {
    const at = texts.code(file).findIndex((line) => line.includes(name) || line.includes(name.replace(/\.ist$/, '')))
    if (at !== -1) return { file, line: at + 1 }
  }
  return NOWHERE
}

/** The place is the place of the first such mistake, so each search runs once, whatever the number of messages. */
function remembering(find: (character: string) => Place): (character: string | undefined) => Place {
  const found = new Map<string, Place>()
  return (character) => {
    if (character === undefined) return NOWHERE
    const place = found.get(character) ?? find(character)
    found.set(character, place)
    return place
  }
}

/** Why makeindex rejects an entry: the character that it has too often. */
const EXTRA = /^Extra `([@|!])'/

function findEntry(character: string, texts: SourceTexts): Place {
  const allowed = character === '!' ? 2 : 1
  for (const file of texts.files.filter((name) => !name.endsWith('.bib'))) {
    for (const [at, line] of texts.code(file).entries()) {
      if (line.length > MAX_LINE_LENGTH) continue
      const entries = line.matchAll(/\\[a-z]*index\*?(?:\[[^\]]*\])?\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/gi)
      const isWrong = [...entries].some(([, entry = '']) => countUnquoted(entry, character) > allowed)
      if (isWrong) return { file, line: at + 1 }
    }
  }
  return NOWHERE
}

const UNMATCHED = /^Unmatched range (?:opening|closing) operator ([()])/

/** The first range that is opened and not closed, or closed and not opened. */
function findRange(sign: string, texts: SourceTexts): Place {
  const found = texts.files.flatMap((file) =>
    texts
      .code(file)
      .flatMap((line, at) =>
        [...line.slice(0, MAX_LINE_LENGTH).matchAll(/\\[a-z]*index\*?(?:\[[^\]]*\])?\{([^{}|]*)\|([()])/gi)].map(
          ([, entry = '', range = '']) => ({ file, line: at + 1, entry, range }),
        ),
      ),
  )
  const openRanges = new Map<string, number>()
  for (const { entry, range } of found) openRanges.set(entry, (openRanges.get(entry) ?? 0) + (range === '(' ? 1 : -1))
  const open = found.find(({ entry, range }) => range === sign && openRanges.get(entry) !== 0)
  return open === undefined ? NOWHERE : { file: open.file, line: open.line }
}

function countUnquoted(entry: string, character: string): number {
  return entry.replace(/".|\\./g, '').split(character).length - 1
}

/** xindy: `ERROR: …`; bib2gls: `Error: …`, `Warning: …`. */
function parseOther(lines: readonly string[], tool: Exclude<IndexLog['tool'], 'makeindex'>): Diagnostics {
  const errors: LatexError[] = []
  const warnings: LatexWarning[] = []
  for (const line of lines) {
    const [, severity, detail] =
      /^\s*(ERROR|Error|FATAL|WARNING|Warning)(?: on (?:line|input)[^:]*)?: ?(.+)$/.exec(line) ?? []
    // Lisp prints this if the translations of the host are not visible.
    if (severity === undefined || detail === undefined || detail.startsWith('setting language to')) continue
    const message = `${tool}: ${detail.trim()}`
    if (/^w/i.test(severity)) warnings.push({ type: 'warning', code: 'other', ...NOWHERE, message })
    else errors.push({ type: 'error', ...NOWHERE, message, context: null, source: 'latex' })
  }
  return { errors, warnings }
}
