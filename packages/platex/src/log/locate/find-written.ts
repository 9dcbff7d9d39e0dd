import { squeeze } from '../squeeze.ts'
import { filesToSearch, type Fault, type Place } from './places.ts'

/**
 * The heading or caption behind an error in a file that LaTeX wrote, such as the table of contents: the author's own
 * text came back from there, so the unknown command is looked up in the sources.
 */
export function findWritten(fault: Fault): Place | null {
  const loaded = fault.position.loaded?.name ?? ''
  if (!/\.(?:aux|toc|lof|lot|lol|out|nav)$/.test(loaded)) return null
  const label = findLabel(fault)
  if (label !== null) return label
  const token = /^Undefined control sequence: (\\[A-Za-z@]+)$/.exec(fault.error.message)?.[1]
  if (token === undefined) return null
  for (const file of filesToSearch(fault)) {
    const found = fault.sources.code(file).findIndex((line) => hasToken(line, token) && !/command|\\def/.test(line))
    if (found >= 0) return { file, line: found + 1 }
  }
  return null
}

/** The `\label` whose name contains a command: TeX reads it back from the auxiliary file. */
function findLabel({ error, sources }: Fault): Place | null {
  const name = /\\newlabel ?\{([^{}]*\\[A-Za-z]+)/.exec(error.lineBefore)?.[1]
  if (name === undefined) return null
  const start = `\\label{${squeeze(name)}`
  for (const file of sources.files) {
    const index = sources.code(file).findIndex((line) => squeeze(line).includes(start))
    if (index >= 0) return { file, line: index + 1 }
  }
  return null
}

/** True when `line` has the command `token` and not just a longer one that begins with it. */
export function hasToken(line: string, token: string): boolean {
  for (let at = line.indexOf(token); at >= 0; at = line.indexOf(token, at + 1)) {
    if (!/[A-Za-z@]/.test(line[at + token.length] ?? '')) return true
  }
  return false
}
