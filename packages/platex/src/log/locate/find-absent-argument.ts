/** Environments and commands whose last or first argument is missing: TeX reads the following text as the argument. */
import { groupEnd } from '../group-end.ts'
import { filesToSearch, type Fault, type Place } from './places.ts'

type NotedPlace = Place & { readonly note: string }

/** The line with the command that lacks an argument, and a note that names the command. */
export function findAbsentArgument(fault: Fault): NotedPlace | null {
  return findNumber(fault) ?? findResizedBox(fault) ?? findCommandBeforeEnd(fault) ?? findDefinedTable(fault)
}

const ENVIRONMENT =
  /\\begin\{(multicols\*?|minipage|column|subfigure|subtable|wrapfigure|wraptable)\}(?:\[[^\]]*\])*(?:(?<=\\begin\{wrap(?:figure|table)\})\{[^{}]*\})?\s*$/
/** The first letter of the text, which TeX tried to read as a number. */
const FIRST_LETTER = /^\\?\S?$/

/** The text of an environment instead of its number of columns or its width. */
function findNumber({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !/^(?:Missing number|Illegal unit)/.test(error.message)) return null
  const code = sources.code(file)
  const read = error.lineBefore.trim()
  if (read.endsWith('\\end{frame}')) return findInFrame({ file, code, line })
  const isAtStart = FIRST_LETTER.test(read)
  const begun = isAtStart ? code.slice(0, line - 1).findLastIndex((text) => text.trim() !== '') : line - 1
  const text = isAtStart ? (code[begun] ?? '') : read.replace(/\s*\S$/, '')
  const name = ENVIRONMENT.exec(text)?.[1]
  return name === undefined ? null : { file, line: begun + 1, note: `An argument is missing: "${name}".` }
}

/** beamer reads a frame as a whole. */
function findInFrame({ file, code, line }: { file: string; code: readonly string[]; line: number }): NotedPlace | null {
  const begun = code.slice(0, line).findLastIndex((text) => text.includes('\\begin{frame}'))
  const found = code.slice(Math.max(0, begun), line).findIndex((text) => ENVIRONMENT.test(text))
  const at = begun + found
  const name = ENVIRONMENT.exec(code[at] ?? '')?.[1]
  return begun === -1 || name === undefined ? null : { file, line: at + 1, note: `An argument is missing: "${name}".` }
}

const MAX_LINES = 200

/** A \resizebox with one length: TeX reads the box as its height, and the command after it as the box. */
function findResizedBox({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !/^Missing \\endcsname|^Extra \}|^Missing number/.test(error.message)) return null
  const code = sources.code(file)
  const from = Math.max(0, line - MAX_LINES)
  const found = code.slice(from, line).findLastIndex((text) => text.includes('\\resizebox'))
  if (found === -1) return null
  const begun = from + found
  const text = code.slice(begun, line).join('\n')
  const start = /\\resizebox\*?\s*(?=\{)/.exec(text)
  const width = start === null ? null : groupEnd(text, start.index + start[0].length)
  const box = width === null ? null : /^\s*(?=\{\s*\\begin)/.exec(text.slice(width + 1))
  const end = width === null || box === null ? null : groupEnd(text, width + 1 + box[0].length)
  if (end === null || /^\s*\{/.test(text.slice(end + 1))) return null
  return { file, line: begun + 1, note: 'An argument is missing: "resizebox".' }
}

/** The second one has two arguments. */
const BARE_COMMANDS: readonly (readonly [message: RegExp, command: RegExp])[] = [
  [/^Missing \\endcsname/, /(\\[A-Za-z]+\*?)\s*$/],
  [/^Argument of \\end has an extra \}/, /(\\(?:[cdt]?frac|[dt]?binom|overset|underset|stackrel))\{[^{}]{0,200}\}\s*$/],
]

/** A command without its argument before the end of an environment: TeX reads \end as the argument. */
function findCommandBeforeEnd({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  const read = /^(.*)\\end$/.exec(error.lineBefore.trimEnd())?.[1]
  const command = BARE_COMMANDS.find(([message]) => message.test(error.message))?.[1]
  if (line === null || read === undefined || command === undefined) return null
  const before = [...sources.code(file).slice(0, line - 1), read]
  const at = before.findLastIndex((text) => text.trim() !== '')
  const name = command.exec(before[at] ?? '')?.[1]
  return name === undefined ? null : { file, line: at + 1, note: `An argument is missing: "${name}".` }
}

/** A definition of an environment with \begin{tabularx}: TeX looks for \end{tabularx} in the text of the document. */
function findDefinedTable(fault: Fault): NotedPlace | null {
  if (!fault.error.message.startsWith('File ended while scanning use of \\TX@get@body')) return null
  for (const file of filesToSearch(fault)) {
    const found = fault.sources.code(file).findIndex((text) => DEFINED_TABLE.test(text))
    if (found !== -1) return { file, line: found + 1, note: 'A definition contains \\begin{tabularx}.' }
  }
  return null
}

const DEFINED_TABLE = /\\(?:(?:re)?newenvironment|\w+DocumentEnvironment)\b.{0,200}\\begin\{tabularx\}/
