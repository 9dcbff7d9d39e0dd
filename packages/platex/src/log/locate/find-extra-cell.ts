import { groupEnd } from '../group-end.ts'
import { filesToSearch, type Fault, type Place } from './places.ts'

/** Environments that typeset their body several times, after they have read it. */
const COLLECTED = /\\end\{(tabularx|tabulary|xltabular|tabularray|NiceTabularX)\*?\}/
const MAX_LINES = 1_000
const MAX_LINES_OF_AUTHORS = 100

/** The row with a cell too many, a row whose end is behind a "%", or authors with an "&". */
export function findExtraCell(fault: Fault): (Place & { readonly note?: string }) | null {
  return findHiddenEnd(fault) ?? findLongRowAtEnd(fault) ?? findAuthors(fault)
}

/** The row before the reported one, or this one up to the cell, if a "%" hides its end: "50% \\". */
function findHiddenEnd({
  error,
  reported: { file, line },
  sources,
}: Fault): (Place & { readonly note: string }) | null {
  if (line === null || !error.message.startsWith('Extra alignment tab')) return null
  for (const at of [line - 1, line]) {
    const text = sources.lines(file)[at - 1] ?? ''
    const code = sources.code(file)[at - 1] ?? ''
    if (
      code.includes('&') &&
      !/\\\\\s*$/.test(code) &&
      /^%.{0,20}\\\\\s*(?:\\hline\s*)?$/.test(text.slice(code.length))
    )
      return { file, line: at, note: 'Here "%" hides the end of a row.' }
  }
  return null
}

/**
 * The row with more cells than columns in a table that is read as a whole: TeX reports its end, without context. The
 * cells of each row are counted instead.
 */
function findLongRowAtEnd({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.startsWith('Extra alignment tab')) return null
  const code = sources.code(file)
  const name = COLLECTED.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  if (begun < 0 || line - begun > MAX_LINES) return null
  const head = /\\begin\{\w+\}(?:\[[^\]]*\])?\{[^{}]*\}(?:\[[^\]]*\])?/.exec(code[begun] ?? '')
  const columns = head === null ? null : countColumns((code[begun] ?? '').slice(head.index + head[0].length))
  if (columns === null) return null
  const row = findLongRow(code.slice(begun + 1, line - 1), columns)
  return row === null ? null : { file, line: begun + row + 2 }
}

/** The "&" in `\author`, which `\maketitle` prints as a table of one column. */
function findAuthors(fault: Fault): (Place & { readonly note: string }) | null {
  const { error, reported, sources } = fault
  const isTitle = /\\maketitle\b/.test(sources.code(reported.file)[(reported.line ?? 0) - 1] ?? '')
  if (!isTitle || !error.message.startsWith('Extra alignment tab')) return null
  for (const file of filesToSearch(fault)) {
    const code = sources.code(file)
    const begun = code.findLastIndex((line) => /\\author\b/.test(line))
    const text = begun < 0 ? '' : code.slice(begun, begun + MAX_LINES_OF_AUTHORS).join('\n')
    const command = /\\author\b[^{}]{0,200}(?=\{)/.exec(text)
    if (command === null) continue
    const opened = command.index + command[0].length
    const authors = text.slice(opened, groupEnd(text, opened) ?? opened)
    const sign = authors.search(/(?<!\\)&/)
    if (sign < 0 || authors.includes('\\begin{')) continue
    return { file, line: begun + text.slice(0, opened + sign).split('\n').length, note: 'Here "&" is in \\author.' }
  }
  return null
}

/** Columns of `{l*{2}{c}p{3cm}X}`; null if the specification does not end on its line. */
function countColumns(text: string): number | null {
  const end = groupEnd(text, 0)
  if (end === null) return null
  const plain = expandRepeated(text.slice(1, end)).replace(/[@!><]\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
  return plain.replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '').replace(/[^A-Za-z]/g, '').length
}

/** `*{3}{c}` → `ccc`, as far as columns are repeated by numbers. */
function expandRepeated(specification: string): string {
  return specification.replace(/\*\{(\d{1,2})\}\{([^{}]*)\}/g, (_, count: string, columns: string) =>
    columns.repeat(Number(count)),
  )
}

/** Index of the line with the first cell beyond the last column. */
function findLongRow(lines: readonly string[], columns: number): number | null {
  let cells = 1
  let depth = 0
  for (const [index, line] of lines.entries()) {
    for (const [token, , spanned] of line.matchAll(
      /\\(multicolumn\{(\d{1,2})\}|begin\b|end\b|tabularnewline|\\|.)|[&{}]/g,
    )) {
      if (token === '{' || token === '\\begin') depth += 1
      else if (token === '}' || token === '\\end') depth -= 1
      else if (depth === 0 && (token === '\\\\' || token === '\\tabularnewline')) cells = 1
      else if (depth === 0 && spanned !== undefined) cells += Number(spanned) - 1
      else if (depth === 0 && token === '&') cells += 1
      if (cells > columns) return index
    }
  }
  return null
}
