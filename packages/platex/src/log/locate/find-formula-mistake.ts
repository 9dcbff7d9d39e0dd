import type { Fault, Place } from './places.ts'

type NotedPlace = Place & { readonly note: string }

/** Mistakes in a formula that TeX reports elsewhere, or for another reason. */
export function findFormulaMistake(fault: Fault): NotedPlace | null {
  return findDollar(fault) ?? findDollarInDisplay(fault) ?? findOldMatrix(fault)
}

const MAX_LINES = 200
const FORMULA = /\\end\{((?:align|alignat|flalign|gather|multline)\*?)\}/

/** amsmath collects some environments and complains about a "$" in them at their end. */
function findDollar({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !/^(?:Missing [{}$]|Missing \\endgroup|Extra })/.test(error.message)) return null
  const code = sources.code(file)
  const name = FORMULA.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  if (begun === -1 || line - begun > MAX_LINES) return null
  // Text in a formula may contain formulas.
  const found = code
    .slice(begun, line)
    .findIndex((text) =>
      text.replace(/\\(?:text\w*|[mf]box|intertext|tag\*?)\{(?:[^{}]|\{[^{}]*\})*\}|\\./g, '').includes('$'),
    )
  return found === -1 ? null : { file, line: begun + found + 1, note: 'Here is a "$" inside the formula.' }
}

const DISPLAY = /\\(?:(begin)|end)\{(?:equation|displaymath)\*?\}|\\(?:(\[)|\])/g

/** A `$` in a displayed formula seems to end it. */
function findDollarInDisplay({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !error.message.startsWith('Display math should end')) return null
  // TeX has read one token more, to find the second "$" of "$$".
  if (!/(?<!\$)\$(?:[^$\\]|\\[A-Za-z]+)?\s*$/.test(error.lineBefore)) return null
  const lines = sources.code(file).slice(Math.max(0, line - MAX_LINES), line - 1)
  const edge = [...`${lines.join('\n')}\n${error.lineBefore}`.matchAll(DISPLAY)].at(-1)
  const isOpen = edge?.[1] !== undefined || edge?.[2] !== undefined
  return isOpen ? { file, line, note: 'Here is a "$" inside the formula.' } : null
}

/** Without amsmath, `\begin{cases}` runs a command of plain TeX, which does not begin a table. */
function findOldMatrix({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !error.message.startsWith('Misplaced alignment tab')) return null
  const code = sources.code(file)
  const before = `${code.slice(Math.max(0, line - MAX_LINES), line - 1).join('\n')}\n${error.lineBefore}`
  const open: string[] = []
  for (const [, kind, name = ''] of before.matchAll(/\\(begin|end)\{([^{}]{1,60})\}/g))
    if (kind === 'begin') open.push(name)
    else if (open.at(-1) === name) open.pop()
  const name = open.at(-1)
  if (name === undefined || !/^(?:cases|p?matrix)$/.test(name)) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  return begun === -1 ? null : { file, line: begun + 1, note: `Without amsmath, this is an old command: "${name}".` }
}
