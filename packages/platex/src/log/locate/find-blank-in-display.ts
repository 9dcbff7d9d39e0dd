import type { Fault, Place } from './places.ts'

const display =
  /^(?:equation|align|alignat|flalign|gather|multline|split|eqnarray|displaymath|math|dmath|aligned|gathered|cases|array)\*?$/

/** The empty line inside a displayed formula is the error itself: the line that TeX reports is correct. */
export function findBlankInDisplay({ reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !sources.has(file)) return null
  const code = sources.code(file)
  if ((code[line - 1] ?? '').trim() !== '') return null
  return isInDisplay(code.slice(Math.max(0, line - 200), line - 1)) ? reported : null
}

/** True if the last formula opened in the lines is not closed in them. */
function isInDisplay(lines: readonly string[]): boolean {
  let isOpen = false
  for (const line of lines) {
    for (const [token, kind, name = ''] of line.matchAll(/\\(begin|end)\{([^{}]{1,60})\}|(?<!\\)\\[[\]]/g)) {
      if (token === '\\[') isOpen = true
      else if (token === '\\]') isOpen = false
      else if (display.test(name)) isOpen = kind === 'begin'
    }
  }
  return isOpen
}
