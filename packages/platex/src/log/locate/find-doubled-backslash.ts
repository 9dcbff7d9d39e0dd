import type { Fault, Place } from './places.ts'

const mismatch = /\\begin\{([^{}]+)\}(?: on input line (\d+))? ended by \\end\{([^{}]+)\}/

/** A location and the problem there. */
interface NotedPlace extends Place {
  readonly note: string
}

/**
 * The `\\begin{…}` or `\\end{…}` that was meant to have one backslash. TeX reads a line break and a word, and LaTeX notices
 * only at the other half of the environment.
 */
export function findDoubledBackslash({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  const match = mismatch.exec(error.message)
  if (match === null || line === null) return null
  const [, begun = '', begunAt = '0', ended = ''] = match
  const sought = begun === 'document' ? `\\\\begin{${ended}}` : `\\\\end{${begun}}`
  const found = sources
    .code(file)
    .slice(0, line)
    .findLastIndex((text, index) => index + 1 > Number(begunAt) && hasAlone(text, sought))
  if (found === -1) return null
  return { file, line: found + 1, note: `TeX reported it at ${file}:${line}; here it is written with two backslashes.` }
}

/** Whether the text contains `sought` not after a third backslash: `\\\end{tabular}` ends a row and its table. */
function hasAlone(text: string, sought: string): boolean {
  const at = text.indexOf(sought)
  return at !== -1 && text[at - 1] !== '\\'
}

const BAD_NAME = /\\(?:re|provide)?newcommand\*?\s*\{?(\\[A-Za-z@]{1,60}[\d_-][\w-]{0,60})\s*[}[{]/
const OF_BAD_NAME =
  /^(?:LaTeX Error: Missing \\begin\{document\}|Missing (?:\$|number)|You already have nine|Illegal parameter)/

/** A definition of a command whose name contains a digit or an underscore: TeX reads the rest of the name as text. */
export function findBadName({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !OF_BAD_NAME.test(error.message)) return null
  const name = BAD_NAME.exec(sources.code(file)[line - 1] ?? '')?.[1]
  return name === undefined
    ? null
    : { file, line, note: `The name of a command contains a special character: "${name}".` }
}
