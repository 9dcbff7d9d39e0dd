import type { Fault, Place } from './places.ts'

type NotedPlace = Place & { readonly note: string }

/** Mistakes in a formula that TeX reports elsewhere, or for another reason. */
export function findFormulaMistake(fault: Fault): NotedPlace | null {
  return findDollar(fault) ?? findDollarInDisplay(fault) ?? findOldMatrix(fault) ?? findCell(fault)
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
  const name = innermost({ error, reported, sources })
  if (!/^(?:cases|p?matrix)$/.test(name)) return null
  const code = sources.code(file)
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  return begun === -1 ? null : { file, line: begun + 1, note: `Without amsmath, this is an old command: "${name}".` }
}

/** A "&" in a formula of one column. amsmath collects some of them, and TeX reports their end. */
function findCell(fault: Fault): NotedPlace | null {
  const { file, line } = fault.reported
  if (line === null || !/^(?:Misplaced|Extra) alignment tab/.test(fault.error.message)) return null
  const code = fault.sources.code(file)
  const collected = /\\end\{((?:gather|multline)\*?)\}/.exec(code[line - 1] ?? '')?.[1]
  if (collected !== undefined) {
    const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${collected}}`))
    const found = code.slice(Math.max(0, begun), line).findIndex((text) => /(?<!\\)&/.test(text))
    return begun === -1 || found === -1 ? null : cellAt({ file, line: begun + found + 1 }, collected)
  }
  const name = innermost(fault)
  return /^(?:equation|displaymath|math|\\\[…\\\])\*?$/.test(name) ? cellAt({ file, line }, name) : null
}

function cellAt(place: Place, name: string): NotedPlace {
  return { ...place, note: `Here "&" is in a formula without columns: "${name}".` }
}

/** The innermost environment or `\[` that is open where TeX stopped; empty if there is none. */
function innermost({ error, reported, sources }: Pick<Fault, 'error' | 'reported' | 'sources'>): string {
  const line = reported.line ?? 0
  const code = sources.code(reported.file).slice(Math.max(0, line - MAX_LINES), line - 1)
  const before = `${code.join('\n')}\n${error.lineBefore}`.replaceAll('\\\\', '')
  const open: string[] = []
  for (const [token, kind, name = '\\[…\\]'] of before.matchAll(/\\(begin|end)\{([^{}]{1,60})\}|\\[[\]]/g))
    if (kind === 'begin' || token === '\\[') open.push(name)
    else if (open.at(-1) === name) open.pop()
  return open.at(-1) ?? ''
}
