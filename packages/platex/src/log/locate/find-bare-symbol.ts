import type { Fault, Place } from './places.ts'

/**
 * The `_`, `^` or `&` in the text of an environment that TeX read as a whole, such as a beamer frame: the error is
 * reported at the end of the environment, without its position in the body.
 */
export function findBareSymbol({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  const symbol = symbolOf(error.message)
  if (symbol === null || line === null || error.inner !== null) return null
  const code = sources.code(file)
  const ended = /\\end\{([^{}]+)\}/.exec(code[line - 1] ?? '')?.[1]
  if (ended === undefined) return null
  const hidden = symbol.test('&') ? FORMULA_OR_TABLE : FORMULA
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${ended}}`))
  if (begun < 0 || hidden.test(ended)) return null
  const found = prose(code.slice(begun, line), hidden).findIndex((text) => symbol.test(text))
  return found < 0 ? null : { file, line: begun + found + 1 }
}

function symbolOf(message: string): RegExp | null {
  if (message === 'Missing $ inserted.') return /[_^]/
  return message.startsWith('Misplaced alignment tab') ? /&/ : null
}

const FORMULA = /^(?:equation|align|gather|multline|eqnarray|math|displaymath|array|matrix)/
/** "&" separates the cells of tables. */
const FORMULA_OR_TABLE = new RegExp(`${FORMULA.source}|^(?:tabular|longtable|xltabular)`)

/** The lines with environments named by `hidden`, formulas, names of files and keys blanked. */
function prose(lines: readonly string[], hidden: RegExp): readonly string[] {
  let formula: string | null = null
  let isInDollars = false
  return lines.map((line) => {
    const opened = /\\begin\{([^{}]+)\}/.exec(line)?.[1]
    if (formula === null && opened !== undefined && hidden.test(opened)) formula = opened
    if (formula !== null) {
      if (line.includes(`\\end{${formula}}`)) formula = null
      return ''
    }
    const text = line
      .replace(
        /\\(?:label|\w*ref|\w*cite\w*|includegraphics|input|include|url|href|path|hyperlink)\*?(?:\[[^\]]*\])?\{[^{}]*\}/g,
        '',
      )
      .replace(/\\\(.*?\\\)|\\[^A-Za-z]/g, '')
    const parts = text.split('$')
    const outside = parts.filter((_, index) => (index % 2 === 0) !== isInDollars).join(' ')
    if (parts.length % 2 === 0) isInDollars = !isInDollars
    return outside
  })
}
