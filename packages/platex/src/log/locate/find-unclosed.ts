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

/** The `$` that a paragraph's end left open: TeX inserts the missing one at the empty line. */
export function findUnclosedFormula({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (error.message !== 'Missing $ inserted.' || line === null) return null
  const code = sources.code(file)
  if ((code[line - 1] ?? '').trim() !== '' || !sources.has(file)) return null
  let openedAt: number | null = null
  for (let at = paragraphStart(code, line - 1); at < line; at += 1) {
    const dollars = (code[at - 1] ?? '').replace(/\\./g, '').replaceAll('$$', '').split('$').length - 1
    if (dollars % 2 === 1) openedAt = openedAt === null ? at : null
  }
  return openedAt === null ? null : { file, line: openedAt }
}

/** First line of the paragraph that holds `line`, both 1-based. */
function paragraphStart(code: readonly string[], line: number): number {
  let start = line
  while (start > 1 && (code[start - 2] ?? '').trim() !== '') start -= 1
  return start
}
