/**
 * One error of TeX, LaTeX, a package or Lua: its message, the place that TeX reports, and its context.
 *
 * A document may print lines that look like errors. A real error is followed by its context, whose last pair of lines
 * begins with `l.` and a line number (`<*>` at the end of the run): without it, a line is not an error. The few
 * errors without context have a fixed wording.
 */

import { isContinuation, startsBangError, startsNotice, splitFileLine } from './message-starts.ts'
import type { FileNames } from './file-names.ts'

export interface ErrorInLog {
  /** TeX's own sentence, joined from its lines, without `file:line:`. */
  readonly message: string
  /** Position from `file:line:`, if the log has that form. */
  readonly stated: { readonly file: string; readonly line: number } | null
  /** N of `l.N`, a line of the file being read. */
  readonly contextLine: number | null
  /** The part of that line that TeX had read; begins with `...` if cut. */
  readonly lineBefore: string
  /** The innermost macro or argument that TeX was expanding, if it was not the line itself. */
  readonly inner: { readonly name: string; readonly before: string } | null
  /** Lines of the log to show: runaway text, context, help. */
  readonly context: readonly string[]
  /** Tokens after `Runaway argument?`, empty without. */
  readonly runaway: string
  /** Index of the first line after the error. */
  readonly next: number
}

export interface ErrorReading {
  readonly names: FileNames
  /** The log has `file:line:` where a file is open, so `! ` there is text. */
  readonly hasFileLines: boolean
}

/** The last line of an emergency stop. */
const STOP_REASON = /^\*\*\* \(.*\)$/
const maxBlockLines = 120
const maxHelpLines = 12

/** Reads the error that begins at `lines[at]`, or null when none does. */
export function readError(lines: readonly string[], at: number, reading: ErrorReading): ErrorInLog | null {
  const line = lines[at] ?? ''
  if (/^Runaway (?:argument|definition|preamble|text)\?$/.test(line)) return readRunaway(lines, at, reading)
  if (line.startsWith('!!!!!!!!!!!!!!!!!!!!')) return readFramed(lines, at, reading)
  const head =
    readHead(line, reading.names) ?? readTraced(lines, at) ?? readLostCharacter(lines, at) ?? readUnmarked(lines, at)
  if (head === null) return null
  const end = findContextEnd(lines, at + 1, reading.names)
  if (!isGenuine(head, end, lines, at, reading)) return null
  return assemble(lines, { at, head, end, messageEnd: head.form === 'lost-character' ? at + 2 : at + 1, runaway: [] })
}

interface Head {
  readonly form: 'bang' | 'file-line' | 'lua' | 'lost-character'
  readonly text: string
  readonly stated: ErrorInLog['stated']
}

function readHead(line: string, names: FileNames): Head | null {
  if (line.startsWith('!')) {
    return startsBangError(line) ? { form: 'bang', text: line.replace(/^! ?/, ''), stated: null } : null
  }
  if (!line.includes(':')) return null
  const lua =
    /^\[\\[a-z]+(?:lua|write|[a-z])*[^\]]{0,80}\]:\d+: (.+)$/.exec(line) ?? /^\S.{0,300}\.lua:\d+: .+$/.exec(line)
  if (lua !== null) return { form: 'lua', text: line, stated: null }
  const split = splitFileLine(line)
  if (split === null || !names.isName(split.file)) return null
  // Lua reports its own file; the document is at the line of the context.
  const stated = split.file.endsWith('.lua') ? null : { file: split.file, line: split.line }
  return { form: 'file-line', text: split.text, stated }
}

/** An error of Lua without a place, because it cannot open a file, or in a chunk with a name of the document's choice. */
function readTraced(lines: readonly string[], at: number): Head | null {
  const isTraced =
    lines[at + 1] === 'stack traceback:' && /^cannot open \S|^\[string ".{1,80}"\]:\d+: /.test(lines[at] ?? '')
  return isTraced ? { form: 'lua', text: lines[at] ?? '', stated: null } : null
}

/**
 * Reads the error that LuaTeX prints with `\tracinglostchars=3`: without a mark, and with its full stop on its own
 * line.
 */
function readLostCharacter(lines: readonly string[], at: number): Head | null {
  const line = lines[at] ?? ''
  const isError = lines[at + 1] === '.' && /^Missing character: There is no .+!$/.test(line)
  return isError ? { form: 'lost-character', text: line, stated: null } : null
}

/** An error of LuaTeX's backend without a mark: fatal, because a document may print such a line. */
function readUnmarked(lines: readonly string[], at: number): Head | null {
  const line = lines[at] ?? ''
  const isFatal = /^(?:!|\S.*:\d+:) +==> Fatal error occurred/.test(lines[at + 1] ?? '')
  return isFatal && /^error: +\(/.test(line) ? { form: 'bang', text: line, stated: null } : null
}

interface ContextEnd {
  readonly kind: 'line' | 'end-of-run' | 'none'
  /** Index of the `l.N` or `<*>` line; without one, of the line that ended the search. */
  readonly at: number
  readonly line: number | null
}

/** Finds the pair of lines that ends TeX's context. Blank lines may come before it. */
function findContextEnd(lines: readonly string[], from: number, names: FileNames): ContextEnd {
  const limit = Math.min(lines.length, from + maxBlockLines)
  for (let at = from; at < limit; at += 1) {
    const line = lines[at] ?? ''
    const match = /^l\.(\d{1,9})(?: |$)/.exec(line)
    if (match !== null) return { kind: 'line', at, line: Number(match[1]) }
    if (line.startsWith('<*> ')) return { kind: 'end-of-run', at, line: null }
    if (startsAnotherMessage(line, names)) return { kind: 'none', at, line: null }
  }
  return { kind: 'none', at: Math.min(limit, from), line: null }
}

function startsAnotherMessage(line: string, names: FileNames): boolean {
  if (startsBangError(line) || startsNotice(line)) return !/^(?:Package|Class|Module|LaTeX3?).{1,80}Error: /.test(line)
  if (line.startsWith('Here is how much of ')) return true
  const split = line.includes(':') ? splitFileLine(line) : null
  return split !== null && names.isName(split.file)
}

const withoutContext =
  /^ ?==> Fatal error occurred|^Emergency stop\.|^(?:pdfTeX|LuaTeX|XeTeX) error|^error:? +\(|^Interruption\.|^TeX capacity exceeded/

function isGenuine(head: Head, end: ContextEnd, lines: readonly string[], at: number, reading: ErrorReading): boolean {
  if (withoutContext.test(head.text)) return end.kind !== 'none' || isNearEnd(lines, at)
  if (asksForFile(lines, at)) return true
  if (head.form === 'lua') {
    return end.kind === 'line' && (lines.slice(at + 1, at + 6).includes('stack traceback:') || end.at - at <= 3)
  }
  if (end.kind === 'none') return false
  return head.form !== 'bang' || end.kind === 'end-of-run' || !reading.hasFileLines
}

/** A fatal error is followed by the closing statistics or by the end of the log. */
function isNearEnd(lines: readonly string[], at: number): boolean {
  const rest = lines.slice(at + 1, at + 40)
  return (
    rest.length < 39 || rest.some((line) => line.startsWith('Here is how much of ') || line.includes('==> Fatal error'))
  )
}

/** LaTeX asks for another name when a file is missing; that message has no context of its own. */
function asksForFile(lines: readonly string[], at: number): boolean {
  if (!/File [`'].*' not found\.?$|[Cc]an't find file|I can't write on file/.test(lines[at] ?? '')) return false
  return lines
    .slice(at + 1, at + 8)
    .some((line) => /^(?:Type X to quit or <RETURN> to proceed|Please type another |Enter file name: )/.test(line))
}

function readRunaway(lines: readonly string[], at: number, reading: ErrorReading): ErrorInLog | null {
  for (let next = at + 1; next < Math.min(lines.length, at + 12); next += 1) {
    const head = readHead(lines[next] ?? '', reading.names)
    if (head === null) continue
    const end = findContextEnd(lines, next + 1, reading.names)
    if (end.kind === 'none') return null
    return assemble(lines, { at: next, head, end, messageEnd: next + 1, runaway: lines.slice(at, next) })
  }
  return null
}

/** LaTeX3 before 2020 framed its messages with `!!!!` above and `!....` below, a `!` before each line. */
function readFramed(lines: readonly string[], at: number, reading: ErrorReading): ErrorInLog | null {
  let messageEnd = at + 1
  const sentences: string[] = []
  while (messageEnd < lines.length && messageEnd < at + 40 && (lines[messageEnd] ?? '').startsWith('!')) {
    const text = (lines[messageEnd] ?? '').slice(1).trim()
    if (/^\.{10,}/.test(text)) break
    messageEnd += 1
    if (text !== '') sentences.push(text)
  }
  const end = findContextEnd(lines, messageEnd + 1, reading.names)
  if (end.kind === 'none' || sentences.length === 0) return null
  const told = sentences.filter((sentence) => !/^(?:See the |For immediate help|Type )/.test(sentence))
  const text = told.slice(0, 2).join(' ')
  return assemble(lines, {
    at,
    head: { form: 'bang', text, stated: null },
    end,
    messageEnd: messageEnd + 1,
    runaway: [],
  })
}

interface Parts {
  readonly at: number
  readonly head: Head
  readonly end: ContextEnd
  readonly messageEnd: number
  readonly runaway: readonly string[]
}

function assemble(lines: readonly string[], parts: Parts): ErrorInLog {
  const { at, head, end, runaway } = parts
  const message = readMessage(lines, { at, head, end })
  const told = new Set(lines.slice(at + 1, message.next))
  const shown =
    end.kind === 'none'
      ? []
      : lines
          .slice(Math.max(message.next, parts.messageEnd), end.at)
          .filter((line) => isForPeople(line) && !told.has(line))
  const first = lines[end.at] ?? ''
  const second = lines[end.at + 1] ?? ''
  const isPair = end.kind !== 'none'
  const next = isPair ? endOfHelp(lines, end.at + 2) : message.next
  const help = isPair ? lines.slice(end.at + 2, next).filter((line) => line.trim() !== '') : stopReason(lines, message)
  const pair = isPair ? [first, second] : []
  return {
    message: withToken(message.text, [...shown, first]),
    stated: head.stated,
    contextLine: end.line,
    lineBefore: end.kind === 'line' ? first.replace(/^l\.\d+ ?/, '') : '',
    inner: findInner(shown),
    context: [...runaway, ...shown, ...pair, ...help].map((line) => line.trimEnd()).filter((line) => line !== ''),
    runaway: runaway.slice(1).join(''),
    next,
  }
}

/** The reason below an emergency stop that has no other context. */
function stopReason(lines: readonly string[], { text, next }: { text: string; next: number }): readonly string[] {
  return text === 'Emergency stop.' ? lines.slice(next, next + 1).filter((line) => STOP_REASON.test(line)) : []
}

/** A message may continue on the next lines: prefixed by `(package)`, or indented further than `LaTeX Error: `. */
function readMessage(
  lines: readonly string[],
  { at, head: { text }, end }: Pick<Parts, 'at' | 'head' | 'end'>,
): { text: string; next: number } {
  const blank = findBlank(lines, at + 1, end)
  // A Lua module starts its message on the next line.
  const isBelow = text.trim() === ''
  const parts = [(isBelow ? (lines[at + 1] ?? '') : text).trim()]
  let next = isBelow ? at + 2 : at + 1
  for (; next < Math.min(lines.length, at + 40); next += 1) {
    const line = lines[next] ?? ''
    // fancyvrb prints nothing after `Error:` on the first line, and the sentence on the second.
    const isFirst = next === at + 1 && (parts[0] ?? '').endsWith('Error:')
    const goesOn = next < blank || isContinuation(line) || (isFirst ? /^ +\S/ : /^ {14,}\S/).test(line)
    if (!goesOn || !/(?:Error|Critical|error)/.test(parts[0] ?? '')) break
    parts.push(line.replace(/^\([^()]{1,60}\)/, '').trim())
  }
  return { text: parts.join(' ').replace(/ {2,}/g, ' ').trimEnd(), next }
}

/**
 * Index of the blank line below the message of LaTeX or a package, which has further lines without any prefix if a package
 * wrote them with `^^J`. LaTeX offers help below it; without, it is `from`.
 */
function findBlank(lines: readonly string[], from: number, end: ContextEnd): number {
  const below = lines.slice(from, end.kind === 'none' ? from : end.at)
  const hasHelp = below.some((line) => /^(?:Type {2}H <return>|For immediate help type )/.test(line))
  return hasHelp ? from + below.findIndex((line) => line.trim() === '') : from
}

/** False for the filler lines of LaTeX's errors. */
function isForPeople(line: string): boolean {
  if (line.trim() === '' || /^ (?:->|\.\.\.)/.test(line)) return false
  if (/\\@err@ +$|\\use_none:n +$|^For immediate help type H <return>|^Type {1,2}H <return>/.test(line)) return false
  return !/^See the .{1,80} (?:for explanation|for further information)\.$|^stack traceback:$/.test(line)
}

/** `Undefined control sequence.` → `Undefined control sequence: \foo`, the last one that TeX had read. */
function withToken(message: string, context: readonly string[]): string {
  if (message !== 'Undefined control sequence.') return message
  const shown = context.find((line) => isContextStart(line)) ?? context[context.length - 1] ?? ''
  const token = /\\(?:[\p{L}\p{M}@:_]+|[^A-Za-z])\s*$/u.exec(shown)?.[0].trimEnd()
  return token === undefined ? message : `Undefined control sequence: ${token === '\\' ? '\\ ' : token}`
}

/** Names of XeTeX and LuaTeX have letters of Unicode. TeX breaks the line after the name, so one of pdfTeX ends before them. */
const contextStart = /^(?:<[a-z *]{1,30}> |\\(?:[\p{L}\p{M}@:_]+|[^A-Za-z]) |[^\s\\<] ?->)/u

function isContextStart(line: string): boolean {
  return contextStart.test(line) || /^l\.\d+ /.test(line)
}

function findInner(shown: readonly string[]): ErrorInLog['inner'] {
  for (const line of shown) {
    if (!contextStart.test(line) || /^<(?:inserted text> .{0,12}$|to be read again> |read \*> )/.test(line)) continue
    const name = /^(?:<[^>]*>|\S+)/.exec(line)?.[0] ?? ''
    const text = line.slice(name.length).trim()
    return { name, before: text.replace(/^[^>\\]{0,40}->/, '') }
  }
  return null
}

/** Help ends at the first blank line; the log of an interactive run shows a prompt instead. */
function endOfHelp(lines: readonly string[], from: number): number {
  const limit = Math.min(lines.length, from + maxHelpLines)
  let at = from
  while (at < limit && isHelp(lines[at] ?? '')) at += 1
  if (STOP_REASON.test(lines[at] ?? '')) at += 1
  return at
}

function isHelp(line: string): boolean {
  return line.trim() !== '' && !/^(?:\? |[)([]|! |\*\*\* \()/.test(line) && !startsNotice(line)
}
