/**
 * The transcript of one engine run → errors and warnings with the user's own files and lines.
 *
 * One pass over the lines tracks the file that TeX is reading (`file-stack.ts`) and reads its messages
 * (`read-error.ts`, `read-notice.ts`). A message is consumed completely, so that its parentheses do not
 * count. Then each message gets its place (`place-error.ts`, `place-warning.ts`).
 */

import { createFileNames, type FileNames } from './engine/file-names.ts'
import { createFileStack, type FilePosition, type FileStack } from './engine/file-stack.ts'
import { findDriverPlace } from './locate/find-driver-place.ts'
import { findPrintIndex, isNoIndex } from './find-print-index.ts'
import { placeError } from './locate/place-error.ts'
import { placeWarning } from './locate/place-warning.ts'
import { readDriverOutput } from './engine/read-driver-output.ts'
import { readError, type ErrorInLog } from './engine/read-error.ts'
import { readLogLines } from './read-log-lines.ts'
import { readNotice, type WarningInLog } from './engine/read-notice.ts'
import { splitLuaErrors } from './engine/split-lua-errors.ts'
import { settleErrors, type SpokenError } from './engine/settle-errors.ts'
import { createSourceTexts, type SourceTexts } from './source-texts.ts'
import { mergeDiagnostics } from './merge-diagnostics.ts'
import { startsDeclaration } from './engine/message-starts.ts'
import type { Diagnostics, EngineLog } from './types.ts'
import type { LatexError, LatexWarning } from '../base/types.ts'

const maxContextLines = 20
const maxContextColumns = 300
/** Bounds the cost of a document that fails in a loop. */
const maxErrors = 1_000
const maxWarnings = 5_000
/** This many are looked up in the source; the others keep the place that TeX reports. */
const maxSearched = 100
const noSources = createSourceTexts(new Map())

/** Parses the log of one engine run; never throws. Linear in the size of the log. */
export function parseEngineLog(input: EngineLog): Diagnostics {
  const lines = splitLuaErrors(readLogLines(input.log, input.engine).lines)
  const names = createFileNames(input, lines, isComplete(lines))
  const sources = createSourceTexts(input.sources)
  const spoken = walk(lines, names)
  const settled = settleErrors(spoken.errors, { lines, rootFile: names.rootFile })
  const errors = settled.map(({ error, position }, index): LatexError => {
    const world = { names, sources: index < maxSearched ? sources : noSources }
    const { file, line, note } = placeError(error, position, world)
    return { type: 'error', file, line, message: error.message, context: contextOf(error, note), source: 'latex' }
  })
  let searched = 0
  const spokenWarnings = withoutExpectedIndex(withoutNullfont(spoken), { lines, sources })
  const warnings = spokenWarnings.map(({ warning, position }): LatexWarning => {
    const { code, message, line } = warning
    if (line === null || message.startsWith('\\end occurred')) searched += 1
    const place = placeWarning(warning, position, searched <= maxSearched ? sources : noSources)
    return { type: 'warning', code, ...place, message }
  })
  return mergeDiagnostics([{ errors, warnings }, driverDiagnostics(input, { lines, sources })])
}

/** After an error, text without a font is a consequence: of a missing font, or of a picture that is read as text. */
function withoutNullfont({ errors, warnings }: Spoken): readonly SpokenWarning[] {
  if (errors.length === 0) return warnings
  return warnings.filter(({ warning }) => !/^Missing character: .* in font nullfont!$/.test(warning.message))
}

/** That a pass finds no index is to be reported only if no pass will: then at \printindex, and once. */
function withoutExpectedIndex(
  warnings: readonly SpokenWarning[],
  texts: { readonly lines: readonly string[]; readonly sources: SourceTexts },
): readonly SpokenWarning[] {
  const first = warnings.findIndex(({ warning }) => isNoIndex(warning.message))
  return warnings.flatMap(({ warning, position }, at) => {
    if (!isNoIndex(warning.message)) return [{ warning, position }]
    const place = at === first ? findPrintIndex(position, texts) : null
    if (place === null) return []
    return [{ warning: { ...warning, line: place.line }, position: { ...position, userFile: place.file } }]
  })
}

interface Spoken {
  readonly errors: readonly SpokenError[]
  readonly warnings: readonly SpokenWarning[]
}

interface SpokenWarning {
  readonly warning: WarningInLog
  readonly position: FilePosition
}

function walk(lines: readonly string[], names: FileNames): Spoken {
  const stack = createFileStack(names)
  const reading = { names, hasFileLines: lines.slice(0, 12).includes(' file:line:error style messages enabled.') }
  const errors: SpokenError[] = []
  const warnings: SpokenWarning[] = []
  const told = new Set<string>()
  const isNew = (...parts: readonly unknown[]): boolean => told.size < told.add(parts.join('\n')).size
  let at = 0
  while (at < lines.length) {
    const error = readError(lines, at, reading)
    if (error !== null) {
      if (error.stated !== null) stack.settleOn(error.stated.file)
      const position = stack.position()
      const { message, stated, contextLine, lineBefore } = error
      const isOwn = isNew(message, position.userFile, stated?.line, contextLine, lineBefore)
      if (isOwn && errors.length < maxErrors) errors.push({ error, position })
      at = error.next
      continue
    }
    const notice = readNotice(lines, at)
    for (const warning of notice?.warnings ?? []) {
      const position = stack.position()
      const { message, line } = warning
      if (warnings.length < maxWarnings && isNew(message, position.userFile, position.loaded?.name, line))
        warnings.push({ warning, position })
    }
    if (notice !== null) stack.scan(notice.rest)
    else scanPlainLine(stack, lines[at] ?? '')
    at = notice?.next ?? at + 1
  }
  return { errors, warnings }
}

function scanPlainLine(stack: FileStack, line: string): void {
  if (!startsDeclaration(line)) stack.scan(line)
}

/** Every complete transcript ends with statistics. */
function isComplete(lines: readonly string[]): boolean {
  return lines
    .slice(-400)
    .some((line) => line.startsWith('Here is how much of ') || line.startsWith('Output written on'))
}

function contextOf(error: ErrorInLog, note: string | null): string | null {
  const lines = [...(note === null ? [] : [note]), ...error.context].slice(0, maxContextLines)
  if (lines.length === 0) return null
  return lines
    .map((line) => (line.length > maxContextColumns ? `${line.slice(0, maxContextColumns)}…` : line))
    .join('\n')
}

function driverDiagnostics(
  input: EngineLog,
  { lines, sources }: { readonly lines: readonly string[]; readonly sources: SourceTexts },
): Diagnostics {
  const messages = readDriverOutput(input.stdout, lines)
  const place = { file: null, line: null }
  return {
    errors: messages.flatMap(({ severity, message }): LatexError[] =>
      severity === 'error'
        ? [{ type: 'error', ...findDriverPlace(message, sources), message, context: null, source: 'latex' }]
        : [],
    ),
    warnings: messages.flatMap(({ severity, message }): LatexWarning[] =>
      severity === 'warning' ? [{ type: 'warning', code: 'other', ...place, message }] : [],
    ),
  }
}
