/** Where a brace, a formula or verbatim text was opened that TeX found unclosed only later, or at the end of the file. */

import { filesToSearch, type Fault, type Place } from './places.ts'
import { squeeze } from '../squeeze.ts'

const unclosedArgument =
  /^(?:File ended|Paragraph ended|Forbidden control sequence found) (?:while scanning (?:use|definition|text|preamble) of|before) (\\.+?) ?(?:was complete)?\.?$/

/** The brace behind a runaway argument, found by the text that TeX shows of it. */
export function findUnclosedArgument(fault: Fault): Place | null {
  const { error, reported, sources } = fault
  const command = unclosedArgument.exec(error.message)?.[1]
  if (command === undefined) return null
  if (/verbatim|lst@|FV@|minted|comment/i.test(command)) return findUnclosedVerbatim(fault)
  if (command === '\\addcontentsline') return findCaption(fault)
  if (command === '\\@@@cmidrule') return findBareRule(fault)
  if (command === '\\CF_analyseoptarg') return findOpenBond(fault)
  const shown = squeeze(error.runaway.replace(/\\ETC\.$/, '')).replace(/\\par.*$/, '')
  for (const file of filesToSearch(fault)) {
    const { text, lineAt, startOf } = sources.squeezed(file)
    const end = file === reported.file && reported.line !== null ? startOf(reported.line + 1) : text.length
    for (const opening of openings(shown, squeeze(command))) {
      const index = text.lastIndexOf(opening, end - opening.length)
      if (index >= 0 && index < end) return { file, line: lineAt(index) }
    }
  }
  return null
}

/** A \cmidrule of booktabs without its columns. */
function findBareRule(fault: Fault): Place | null {
  for (const file of filesToSearch(fault)) {
    const found = fault.sources.code(file).findIndex((text) => BARE_RULE.test(text))
    if (found !== -1) return { file, line: found + 1 }
  }
  return null
}

const BARE_RULE = /\\cmidrule(?:\[[^\]]{0,100}\])?(?:\([^)]{0,100}\))?\s*(?![[({\sA-Za-z])/

/** The options of a bond of chemfig that are not closed. chemfig ends the molecule with \_nil, which TeX shows. */
function findOpenBond(fault: Fault): Place | null {
  const text = `[${fault.error.runaway.replace(/\\_nil[\s\S]*$/, '').trim()}`
  for (const file of filesToSearch(fault)) {
    const found = fault.sources.code(file).findIndex((line) => line.includes(text))
    if (found !== -1) return { file, line: found + 1 }
  }
  return null
}

const MAX_LINES_OF_CAPTION = 100

/** The \caption whose text LaTeX writes to a list of figures or tables. */
function findCaption({ reported: { file, line }, sources }: Fault): Place | null {
  if (line === null) return null
  const from = Math.max(0, line - MAX_LINES_OF_CAPTION)
  const found = sources
    .code(file)
    .slice(from, line)
    .findLastIndex((text) => text.includes('\\caption'))
  return found === -1 ? null : { file, line: from + found + 1 }
}

const AMSMATH =
  /^(?:File ended while scanning use of|Paragraph ended before) \\((?:align|alignat|flalign|gather|multline)\*?)(?: was complete)?\W/

/** In an environment that amsmath reads as an argument: the line with the first "{" that is not closed before its end. */
export function findOpenBrace(fault: Fault): (Place & { readonly note: string }) | null {
  const name = AMSMATH.exec(fault.error.message)?.[1]
  const file = fault.reported.line === null ? findUnclosedArgument(fault)?.file : fault.reported.file
  if (name === undefined || file === undefined) return null
  const code = fault.sources.code(file)
  const begun = code
    .slice(0, fault.reported.line ?? code.length)
    .findLastIndex((text) => text.includes(`\\begin{${name}}`))
  const length = code.slice(begun).findIndex((text) => text.includes(`\\end{${name}}`))
  if (begun === -1 || length === -1) return null
  // Otherwise, a blank line is the mistake.
  if (fault.reported.line !== null && begun + length >= fault.reported.line) return null
  const line = firstOpenBrace(code.slice(begun, begun + length + 1))
  return line === null ? null : { file, line: begun + line + 1, note: 'Here a "{" is not closed.' }
}

/** Index of the line with the first "{" that is not closed; null if all are. */
function firstOpenBrace(lines: readonly string[]): number | null {
  const open: number[] = []
  for (const [index, line] of lines.entries())
    for (const [brace] of line.replace(/\\[^a-zA-Z]/g, '').matchAll(/[{}]/g))
      if (brace === '{') open.push(index)
      else open.pop()
  return open[0] ?? null
}

/** An argument that is not closed because a "%" hides its brace: `\textbf{50% more}`. */
export function findHiddenBrace(fault: Fault): (Place & { readonly note: string }) | null {
  const place = findUnclosedArgument(fault)
  if (place === null || place.line === null) return null
  const line = fault.sources.lines(place.file)[place.line - 1] ?? ''
  const code = fault.sources.code(place.file)[place.line - 1] ?? ''
  const missing = countOpen(code)
  const hidden = -countOpen(line.slice(code.length))
  return missing > 0 && hidden >= missing
    ? { ...place, note: 'Here "%" begins a comment that contains the missing "}".' }
    : null
}

/** Opening braces minus closing ones. */
export function countOpen(text: string): number {
  const plain = text.replace(/\\./g, '')
  return plain.split('{').length - plain.split('}').length
}

/** Texts at the opening brace, the longest first. TeX may have consumed the brace itself. */
function openings(shown: string, command: string): readonly string[] {
  const text = shown.replace(/^\{/, '')
  const candidates = [40, 20, 10].filter((length) => text.length >= 5 && (length === 40 || text.length > length))
  const texts = candidates.map((length) => text.slice(0, length))
  const isPublic = /^\\[A-Za-z]+$/.test(command)
  // \@cline reads the argument of \cline.
  const inner = /^\\@([A-Za-z]+)$/.exec(command)?.[1]
  if (inner !== undefined) return [`\\${inner}{${text.replace(/\\.*$/, '')}`, ...texts]
  const exact = isPublic ? texts.map((start) => `${command}{${start}`) : []
  return [...exact, ...texts.map((start) => `{${start}`), ...texts, ...(isPublic ? [`${command}{`] : [])]
}

function findUnclosedVerbatim(fault: Fault): Place | null {
  let suspect: Place | null = null
  for (const file of filesToSearch(fault)) {
    const lines = fault.sources.lines(file)
    const opened = lines.findLastIndex((line) =>
      /\\begin\{(?:verbatim|Verbatim|lstlisting|minted|comment)\*?\}/.test(line),
    )
    const name = /\\begin\{([^}]+)\}/.exec(lines[opened] ?? '')?.[1]
    if (opened < 0 || name === undefined) continue
    if (!lines.slice(opened).some((line) => line.includes(`\\end{${name}}`))) return { file, line: opened + 1 }
    suspect ??= { file, line: opened + 1 }
  }
  return suspect // its end is there, but TeX took it for text: the argument of a command was read too early
}

/** A file without any text, in which TeX looks for a document. */
export function findEmptyFile({ error, reported, sources }: Fault): (Place & { readonly note: string }) | null {
  const { file } = reported
  if (!error.message.includes('no legal \\end found') || !sources.has(file)) return null
  const isEmpty = sources.code(file).every((line) => line.trim() === '')
  return isEmpty ? { file, line: 1, note: 'This file is empty.' } : null
}

/** A listing in the argument of a command: its `\end` is read too early, so it hides the end of the document. */
export function findListingInArgument(fault: Fault): Place | null {
  if (!fault.error.message.includes('no legal \\end found') || fault.reported.line !== null) return null
  for (const file of filesToSearch(fault)) {
    const at = fault.sources.code(file).findIndex((line) => LISTING_IN_BRACES.test(line))
    if (at >= 0) return { file, line: at + 1 }
  }
  return null
}

const LISTING_IN_BRACES = /\{\s*\\begin\{(?:verbatim|Verbatim|lstlisting|minted)\*?\}/

/** Commands that end a paragraph without an empty line before them. */
const END_OF_PARAGRAPH = /^\s*\\(?:end\{document\}|part|chapter|(?:sub)*section|(?:sub)?paragraph|par|item)(?![A-Za-z])/

/** The `$` that a paragraph's end left open: TeX inserts the missing one where the paragraph ends. */
export function findUnclosedFormula({ error, reported, sources }: Fault): (Place & { readonly note?: string }) | null {
  const { file, line } = reported
  if (error.message !== 'Missing $ inserted.' || line === null || !sources.has(file)) return null
  const code = sources.code(file)
  if ((code[line - 1] ?? '').trim() === '') {
    const opened = findOpenDollar(code, paragraphStart(code, line - 1), line)
    return opened === null ? null : { file, line: opened }
  }
  const opened = error.lineBefore.trimEnd().endsWith('\\end{frame}')
    ? findOpenDollarInFrame(code, line)
    : END_OF_PARAGRAPH.test(error.lineBefore)
      ? findOpenDollar(code, paragraphStart(code, line - 1), line)
      : null
  return opened === null ? null : { file, line: opened, note: 'Here a formula begins that is not closed.' }
}

/** The line of the `$` between two lines, the last one excluded, that has no partner; null if all have one. */
function findOpenDollar(code: readonly string[], from: number, to: number): number | null {
  let openedAt: number | null = null
  for (let at = from; at < to; at += 1) {
    const dollars = (code[at - 1] ?? '').replace(/\\./g, '').replaceAll('$$', '').split('$').length - 1
    if (dollars % 2 === 1) openedAt = openedAt === null ? at : null
  }
  return openedAt
}

/** beamer reads a frame as a whole, and TeX reports its end for each of its paragraphs. */
function findOpenDollarInFrame(code: readonly string[], end: number): number | null {
  let from = code.slice(0, end).findLastIndex((text) => text.includes('\\begin{frame}')) + 1
  if (from === 0) return null
  for (let at = from; at < end; at += 1) {
    if ((code[at - 1] ?? '').trim() !== '' && !END_OF_PARAGRAPH.test(code[at - 1] ?? '')) continue
    const opened = findOpenDollar(code, from, at)
    if (opened !== null) return opened
    from = at
  }
  return findOpenDollar(code, from, end)
}

/** The `$` in an environment that is not closed before its end. */
export function findFormulaInEnvironment({ error, reported, sources }: Fault): Place | null {
  const name = /^LaTeX Error: Command \\end\{(\S+?)\} invalid in math mode/.exec(error.message)?.[1]
  const { file, line } = reported
  if (name === undefined || line === null) return null
  const code = sources.code(file)
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  if (begun === -1) return null
  const isOdd = (text: string): boolean => text.replace(/\\./g, '').split('$').length % 2 === 0
  const found = code.slice(begun, line).findLastIndex(isOdd)
  return found === -1 ? null : { file, line: begun + found + 1 }
}

/** First line of the paragraph that holds `line`, both 1-based. */
function paragraphStart(code: readonly string[], line: number): number {
  let start = line
  while (start > 1 && (code[start - 2] ?? '').trim() !== '') start -= 1
  return start
}
