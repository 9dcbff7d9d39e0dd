/**
 * One warning of LaTeX, a package, the engine or the box builder, with the lines that belong to it.
 *
 * Infos are read, too, because their lines may contain parentheses, and then dropped.
 */

import { isContinuation, startsBangError, startsNotice } from './message-starts.ts'
import type { WarningCode } from '../../base/types.ts'

export interface NoticeInLog {
  /** Empty for an info; two if a warning of the engine starts on the notice's last line. */
  readonly warnings: readonly WarningInLog[]
  /** Index of the first line after the notice. */
  readonly next: number
  /** Text on the notice's last line that is not part of it and may open or close files. */
  readonly rest: string
}

export interface WarningInLog {
  readonly code: WarningCode
  readonly message: string
  /** Line that TeX reported: a line of the file being read. */
  readonly line: number | null
  /** The text of a bad box in a paragraph, with its fonts. */
  readonly shown?: string
}

/** Warnings about the machine that wrote the log. An EPS file that needs a conversion has an error of its own. */
const HARMLESS =
  /^Package epstopdf Warning: Shell escape feature is not enabled|^pdfTeX warning: .* duplicates ignored$/

/** Reads the notice that begins at `lines[at]`, or null when none does. */
export function readNotice(lines: readonly string[], at: number): NoticeInLog | null {
  const notice = readOneNotice(lines, at) ?? readPdfWarning(lines, at)
  if (notice === null) return null
  const { warning, next, rest } = notice
  const later = readPdfWarning([rest, ...lines.slice(next, next + maxContextLines)], 0)
  const warnings = [warning, later?.warning ?? null].flatMap((found) =>
    found === null || HARMLESS.test(found.message) ? [] : [found],
  )
  return { warnings, next: later === null ? next : next + later.next - 1, rest: later?.rest ?? rest }
}

interface OneNotice extends Pick<NoticeInLog, 'next' | 'rest'> {
  /** Null for an info: nothing to report. */
  readonly warning: WarningInLog | null
}

function readOneNotice(lines: readonly string[], at: number): OneNotice | null {
  const line = lines[at] ?? ''
  switch (line[0]) {
    case 'L':
    case 'P':
    case 'C':
    case 'M':
      return readLostText(lines, at) ?? readMissingCharacter(line, at) ?? readPrefixed(lines, at) ?? readBox(lines, at)
    case 'I':
      return readReplacement(line, at)
    case 'O':
    case 'U':
    case 'T':
      return readBox(lines, at)
    case 'N':
      return readNoFile(line, at)
    case '(':
      return readUnfinishedEnd(lines, at)
    case '*':
      return readStarred(lines, at)
    default:
      return null
  }
}

const prefix = /^((?:LaTeX3?|LaTeX Font|(?:Package|Class|Module|Library) (.{1,80}?)) (Warning|Info)): ?(.*)$/

function readPrefixed(lines: readonly string[], at: number): OneNotice | null {
  const line = lines[at] ?? ''
  const match = prefix.exec(line)
  if (match === null) return null
  const [, , , severity] = match
  const message = readWarningText(lines, at)
  if (severity === 'Info') return { warning: null, next: message.next, rest: '' }
  const warning = { code: codeOf(message.text), message: message.text, line: inputLine(message.text) }
  return { warning, next: message.next, rest: '' }
}

/** Joins a message with its continuation lines, prefixed by `(package)`, indented, or neither in old packages. */
function readWarningText(lines: readonly string[], at: number): { text: string; next: number } {
  const parts = [(lines[at] ?? '').trim()]
  let next = at + 1
  for (; next < Math.min(lines.length, at + 60); next += 1) {
    const line = lines[next] ?? ''
    if (!isContinuation(line) && !/^ {4,}\S/.test(line)) break
    const part = line.replace(/^\([^()]{1,60}\)/, '').trim()
    if (part !== '') parts.push(part)
  }
  if (parts.length === 1 && (parts[0] ?? '').endsWith(' Warning:')) return readBelow(lines, at)
  const isTold = /(?:\.|[!?])$/.test(parts[parts.length - 1] ?? '')
  const loose = isTold && parts.length > 1 ? [] : looseLines(lines, next)
  parts.push(...loose.filter((line) => !/^See the .* (?:documentation|manual)/.test(line)))
  return { text: parts.join(' '), next: next + loose.length }
}

/** A message whose text begins on the next line, like messages of xr, and ends at a blank line. */
function readBelow(lines: readonly string[], at: number): { text: string; next: number } {
  const length = lines.slice(at + 1, at + 5).findIndex((line) => line.trim() === '')
  const next = at + 1 + Math.max(0, length)
  return {
    text: lines
      .slice(at, next)
      .map((line) => line.trim())
      .join(' '),
    next,
  }
}

/** Up to two lines without any prefix that end at a blank line. */
function looseLines(lines: readonly string[], from: number): readonly string[] {
  const loose: string[] = []
  for (let at = from; at <= from + 2; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') return loose
    if (!/^[A-Za-z`'"]/.test(line) || startsNotice(line) || startsBangError(line) || /^[A-Z]\w+: /.test(line)) return []
    if (/^(?:l\.\d|No file |\w+\.\w+:\d)/.test(line)) return []
    loose.push(line.trim())
  }
  return []
}

function codeOf(message: string): WarningCode {
  if (/^LaTeX Font Warning|Font shape .* (?:undefined|not available)/.test(message)) return 'font-warning'
  if (/^Package (?:fontspec|luaotfload) Warning: .*[Ff]ont/.test(message)) return 'font-warning'
  if (
    /[Cc]itation [`'"].*undefined|undefined citations|entry could not be found|entries could not be found/.test(message)
  )
    return 'undefined-citation'
  if (/[Rr]eference [`'"].*undefined|[Hh]yper reference .*undefined|undefined references/.test(message))
    return 'undefined-reference'
  if (/[Ll]abel [`'"].*multiply[ -]defined|multiply[ -]defined labels/.test(message)) return 'multiply-defined-label'
  return /^LaTeX3? Warning/.test(message) ? 'other' : 'package-warning'
}

/** The last `on input line N`, or `on line N` of media9, counts: texts quoted in a message may hold another. */
function inputLine(message: string): number | null {
  const number = /.*on (?:input )?line (\d{1,9})/.exec(message)?.[1]
  return number === undefined ? null : Number(number)
}

const box = /^(Overfull|Underfull|Loose|Tight) \\([hv])box \([^)]{0,80}\) (.*)$/
const boxPlace =
  /^(?:in (?:paragraph|alignment) at lines (-?\d+)--(-?\d+)|detected at line (-?\d+)|has occurred while \\output is active)/

function readBox(lines: readonly string[], at: number): OneNotice | null {
  const line = lines[at] ?? ''
  const match = box.exec(line)
  if (match === null) return null
  const [, fault = '', kind = '', after = ''] = match
  const place = boxPlace.exec(after)
  if (place === null) return null
  const told = line.slice(0, line.length - after.length + place[0].length)
  const rest = after.slice(place[0].length).replace(/^ \[\]/, '')
  const numbers = place.slice(1).flatMap((number) => (number === undefined ? [] : Number(number)))
  const first = numbers.length === 0 ? 0 : Math.min(...numbers)
  const code = fault === 'Overfull' || fault === 'Underfull' ? boxCode(fault, kind) : 'other'
  const shown = told.includes(' in paragraph ') ? { shown: lines[at + 1] ?? '' } : {}
  const warning = { code, message: told, line: first > 0 ? first : null, ...shown }
  return { warning, next: endOfBox(lines, at + 1, kind), rest }
}

function boxCode(fault: 'Overfull' | 'Underfull', kind: string): WarningCode {
  if (fault === 'Overfull') return kind === 'h' ? 'overfull-hbox' : 'overfull-vbox'
  return kind === 'h' ? 'underfull-hbox' : 'underfull-vbox'
}

/** The text of a bad box ends at a line `[]`; it may contain anything. */
function endOfBox(lines: readonly string[], from: number, kind: string): number {
  if (kind === 'v') return (lines[from] ?? '').trim() === '[]' ? from + 1 : from
  for (let at = from; at < Math.min(lines.length, from + 60); at += 1) {
    const text = (lines[at] ?? '').trim()
    if (text === '[]') return at + 1
    if (text === '') return at
  }
  return from
}

const LOST_CHARACTER = /^Missing character: There is no (\S)(?: \([^()]{1,12}\))? in font nullfont!$/u
const maxLostText = 40

/** Text outside of the nodes of a picture, which has no font: TeX reports each character. The first ones are enough. */
function readLostText(lines: readonly string[], at: number): OneNotice | null {
  let text = ''
  let next = at
  for (; next < lines.length; next += 1) {
    const character = LOST_CHARACTER.exec(lines[next] ?? '')?.[1]
    if (character === undefined) break
    if (text.length < maxLostText) text += character
  }
  if (text === '') return null
  const message = `Missing character: There is no ${text} in font nullfont!`
  return { warning: { code: 'font-warning', message, line: null }, next, rest: '' }
}

function readMissingCharacter(line: string, at: number): OneNotice | null {
  const match = /^Missing character: There is no .{1,80}? in font .{1,300}?!/.exec(line)
  if (match === null) return null
  return {
    warning: { code: 'font-warning', message: match[0], line: null },
    next: at + 1,
    rest: line.slice(match[0].length),
  }
}

/** XeTeX has replaced bytes that are not UTF-8. */
function readReplacement(line: string, at: number): OneNotice | null {
  const match = /^Invalid UTF-8 byte or sequence at line (\d{1,9}) replaced by U\+FFFD\.$/.exec(line)
  if (match === null) return null
  return { warning: { code: 'other', message: line, line: Number(match[1]) }, next: at + 1, rest: '' }
}

const pdfWarning =
  /(^|[\s\])]|\[\d{1,9})((?:pdfTeX warning|LuaTeX warning|warning {2}\([^()]{1,40}\))(?: \([^()]{1,40}\))?: .*)$/
const maxContextLines = 8

/** Warnings of the engine itself; they may start in the middle of a line, also directly after `[106`. */
function readPdfWarning(lines: readonly string[], at: number): OneNotice | null {
  const line = lines[at] ?? ''
  const match = line.includes('arning') ? pdfWarning.exec(line) : null
  if (match === null) return null
  const [, before = '', text = ''] = match
  if (text.endsWith(': no pages of output.')) return { warning: null, next: at + 1, rest: '' }
  const context = lines.slice(at + 1, at + maxContextLines)
  const end = /^(?:<|l\.\d)/.test(context[0] ?? '')
    ? context.findIndex((shown) => /^l\.\d{1,9}(?: |$)/.test(shown))
    : -1
  const number = end < 0 ? null : Number(/\d+/.exec(context[end] ?? '')?.[0])
  return {
    warning: { code: 'other', message: text.trim(), line: number },
    next: end < 0 ? at + 1 : at + end + 3,
    rest: line.slice(0, match.index + before.length),
  }
}

/** Files that LaTeX writes and reads in the next pass. `.ind` is not among them: see `findPrintIndex`. */
const generated =
  /\.(?:aux|toc|lof|lot|lol|loa|out|nav|snm|bbl|nls|gls|acr|glo|bcf|mtc\d*|ptc\d*|thm|brf|tdo|ent|upa|upb|sta|los|loe|lom)\.$/

function readNoFile(line: string, at: number): OneNotice | null {
  const match = /^No file (\S.{0,300})\.$/.exec(line)
  if (match === null) return null
  const warning = generated.test(line) ? null : { code: 'other' as const, message: line, line: null }
  return { warning, next: at + 1, rest: '' }
}

/** `(\end occurred inside a group at level N)` and the groups listed under it. */
function readUnfinishedEnd(lines: readonly string[], at: number): OneNotice | null {
  const line = lines[at] ?? ''
  const match =
    /^\((\\end occurred (?:inside a group at level \d+|when \\\S+ (?:on line (\d+) )?was incomplete))\)/.exec(line)
  if (match === null) return null
  let next = at + 1
  let outermost: string | undefined
  for (; next < Math.min(lines.length, at + 60) && /^(?:###.*)?$/.test(lines[next] ?? ''); next += 1) {
    outermost = /^### (.+ entered at line \d+ .*)$/.exec(lines[next] ?? '')?.[1] ?? outermost
  }
  const number = match[2] ?? (outermost === undefined ? undefined : /entered at line (\d+)/.exec(outermost)?.[1])
  const message = outermost === undefined ? (match[1] ?? '') : `${match[1]}: ${outermost}`
  const warning = { code: 'other' as const, message, line: number === undefined ? null : Number(number) }
  return { warning, next, rest: line.slice(match[0].length) }
}

/** LaTeX3 before 2020 framed its warnings with lines of stars. */
function readStarred(lines: readonly string[], at: number): OneNotice | null {
  if (!/^\*{20,}$/.test(lines[at] ?? '') || !/^\*(?: |$)/.test(lines[at + 1] ?? '')) return null
  const sentences: string[] = []
  let next = at + 1
  for (; next < Math.min(lines.length, at + 60) && /^\*(?: |$)/.test(lines[next] ?? ''); next += 1) {
    sentences.push((lines[next] ?? '').slice(1).trim())
  }
  if (!/^\*{20,}$/.test(lines[next] ?? '')) return null
  const message = sentences.filter((sentence) => sentence !== '').join(' ')
  if (!/\bwarning: /.test(message)) return { warning: null, next: next + 1, rest: '' }
  return { warning: { code: 'package-warning', message, line: inputLine(message) }, next: next + 1, rest: '' }
}
