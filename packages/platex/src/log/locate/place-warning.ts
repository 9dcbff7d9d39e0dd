import { findClosedParagraph } from '../find-closed-paragraph.ts'
import { findOpenGroups, type GroupKind } from '../find-open-groups.ts'
import { listInReadingOrder, type PartOfFile } from '../list-in-reading-order.ts'
import { listSourceLoads } from '../source-loads.ts'
import { findLoadingLine } from './find-missing-file.ts'
import { findLostText } from './packages/find-lost-text.ts'
import type { FilePosition } from '../engine/file-stack.ts'
import { listDocuments, type Place } from './places.ts'
import type { SourceTexts } from '../source-texts.ts'
import type { LatexWarning } from '../../base/types.ts'
import type { WarningInLog } from '../engine/read-notice.ts'

type WarningPlace = Pick<LatexWarning, 'file' | 'line'>

/**
 * The file and line of a warning: as reported, if TeX was reading a file of the user; otherwise the line that loads the
 * file; and for names without a line, the place in the source that contains the name. Summaries have no place.
 */
export function placeWarning(warning: WarningInLog, position: FilePosition, sources: SourceTexts): WarningPlace {
  if (isOfDocument(warning)) return { file: null, line: null }
  if (warning.message.startsWith('\\end occurred')) return openedPlace(warning, position, sources)
  // xr reports the line of \begin{document}.
  const isLater = warning.message.includes('LABELS NOT IMPORTED')
  if (position.loaded === null && warning.line !== null && !isLater) {
    const closed = findClosedParagraph(warning, position, sources)
    return closed ?? lastingPlace({ file: position.userFile, line: warning.line }, position, sources)
  }
  const named = findNamed(warning, position, sources) ?? findLostText(warning.message, sources)
  if (named !== null) return named
  if (warning.message.includes('Unused global option')) {
    return { file: position.userFile, line: findLoadingLine(sources, position.userFile, '.cls') }
  }
  const setting = findSetting(warning, position, sources)
  if (setting !== null) return setting
  if (position.loaded === null || isSummary(warning)) return { file: position.userFile, line: null }
  return { file: position.userFile, line: findLoadingLine(sources, position.userFile, position.loaded.name) }
}

/** A line beyond the end of the open file belongs to the one that just closed, or to another that is open. */
function lastingPlace(place: Place, position: FilePosition, sources: SourceTexts): Place {
  const { file, line } = place
  if (line === null || !sources.has(file) || line <= sources.lines(file).length) return place
  const closed = position.lastClosed === null ? [] : [position.lastClosed]
  const fitting = [...closed, ...position.userFiles].find((name) => line <= sources.lines(name).length)
  return fitting === undefined ? { file, line: null } : { file: fitting, line }
}

/**
 * TeX lists open groups at the end of the run, by line, without their file: the one that opens a group on that line and does
 * not close it. A macro can open it, too, if only one file has a command on that line.
 */
function openedPlace({ line, message }: WarningInLog, { userFile }: FilePosition, sources: SourceTexts): WarningPlace {
  if (line === null || !sources.has(userFile)) return { file: userFile, line }
  const files = [...new Set(listInReadingOrder(sources, userFile).map(({ file }) => file))]
  const kind = groupKind(message)
  const open = files.find((file) => findOpenGroups(sources, file, kind).has(line))
  if (open !== undefined) return { file: open, line }
  const [first, ...others] = files.filter((file) => {
    // Macros of the preamble close their groups.
    const isBefore = file === userFile && line <= documentStart(sources, file)
    return !isBefore && /[\\{]/.test(sources.code(file)[line - 1] ?? '')
  })
  return first === undefined || others.length > 0 ? { file: null, line: null } : { file: first, line }
}

/** The line of \begin{document}; 0 if the file has none. */
function documentStart(sources: SourceTexts, file: string): number {
  return listSourceLoads(sources, file).find(({ command }) => command === 'begin{document}')?.line ?? 0
}

function groupKind(message: string): GroupKind {
  if (message.startsWith('\\end occurred when')) return 'condition'
  return message.includes('semi simple') ? 'environment' : 'brace'
}

/** LaTeX sums up at the end of the run, where the open file means nothing. */
function isOfDocument({ message }: WarningInLog): boolean {
  return /There were (?:undefined|multiply)/.test(message)
}

function isSummary({ message }: WarningInLog): boolean {
  return /There were |may have changed|Please \(?re\)?run|Some font shapes/.test(message)
}

/** Warnings of packages about a setting that belongs to the line that loads them. */
const SETTINGS: readonly (readonly [message: RegExp, file: string])[] = [
  [/^Package pgfplots Warning: running in backwards compatibility mode/, 'pgfplots.sty'],
  [/^Package fancyhdr Warning: \\headheight is too small/, 'fancyhdr.sty'],
  [/^Package glossaries Warning: No \\printglossary/, 'glossaries.sty'],
  [/^Package siunitx Warning: Detected the "physics" package/, 'siunitx.sty'],
]

function findSetting({ message }: WarningInLog, { userFile }: FilePosition, sources: SourceTexts): Place | null {
  const name = SETTINGS.find(([pattern]) => pattern.test(message))?.[1]
  if (name === undefined) return null
  for (const file of new Set([userFile, ...listDocuments(sources)])) {
    const line = findLoadingLine(sources, file, name)
    if (line !== null) return { file, line }
  }
  return null
}

interface NamedPattern {
  readonly message: RegExp
  /** A command and, in a group, its argument: the name or a list of names. Null if the name is text. */
  readonly command: RegExp | null
  readonly isList?: boolean
  /** In the order in which TeX reads them. `second`: the first definition of a label is correct. */
  readonly which: 'first' | 'second'
}

const CITATION = /[Cc]ite[A-Za-z]{0,40}\*?(?:\[[^\]]{0,200}\]){0,2}\{([^{}]*)/g

const namedPatterns: readonly NamedPattern[] = [
  {
    message: /Label [`']([^']+)' multiply defined/,
    command: /\\label(?:\[[^\]]{0,100}\])?\{([^{}]*)|label ?= ?(?:\{([^{}]*)|([^{},\]]*))/g,
    which: 'second',
  },
  {
    message: /[Rr]eference [`']([^']+)'/,
    command: /ref\*?(?:\[[^\]]{0,100}\])?\{([^{}]*)/g,
    isList: true,
    which: 'first',
  },
  { message: /[Cc]itation [`']([^']+)'/, command: CITATION, isList: true, which: 'first' },
  { message: /in the database: (\S+)/, command: CITATION, isList: true, which: 'first' },
  {
    message: /^No file (\S.*?)(?:\.tex)?\.$/,
    command:
      /\\(?:include|input|subfile|verbatiminput\*?)(?:\s*\{([^{}]{1,300}?)(?:\.tex)?\s*\}|\s+([^\s{}\\]{1,300}?)(?:\.tex)?(?=[\s{}\\]|$))/g,
    which: 'first',
  },
  {
    message: /^Package xr\S* Warning: No file (\S+)\.aux/,
    command: /\\external(?:cite)?document(?:\[[^\]]{0,100}\]){0,2}\{([^{}]*)/g,
    which: 'first',
  },
  {
    message: /^LaTeX Warning: You have requested (?:package|document class) [`'](.+?)'/,
    command: /\\(?:usepackage|RequirePackage|documentclass|LoadClass)(?:\[[^\]]{0,300}\])?\{([^{}]*)/g,
    isList: true,
    which: 'first',
  },
  { message: /^Missing character: There is no (\P{ASCII}+) /u, command: null, which: 'first' },
]

function findNamed(warning: WarningInLog, position: FilePosition, sources: SourceTexts): Place | null {
  for (const pattern of namedPatterns) {
    const name = pattern.message.exec(warning.message)?.[1]
    if (name === undefined) continue
    const parts = listInReadingOrder(sources, position.userFile)
    const places = parts.flatMap((part) => placesOf(sources, part, { name, pattern }))
    return (pattern.which === 'second' ? places[1] : undefined) ?? places[0] ?? null
  }
  return null
}

/** One place for each time that a line has the whole name: `fig:1` is not in `\label{fig:10}`. */
function placesOf(
  sources: SourceTexts,
  { file, from, to }: PartOfFile,
  { name, pattern: { command, isList = false } }: { name: string; pattern: NamedPattern },
): readonly Place[] {
  const code = sources.code(file).slice(from - 1, to)
  return code.flatMap((text, index) => {
    if (!text.includes(name)) return []
    const place = { file, line: from + index }
    if (command === null) return place
    const whole = [...text.matchAll(command)].map(([, ...groups]) => groups.find((group) => group !== undefined) ?? '')
    const names = isList ? whole.flatMap((list) => list.split(',')) : whole
    return names.flatMap((each) => (each.trim() === name.trim() ? place : []))
  })
}
