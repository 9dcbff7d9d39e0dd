import { listSourceLoads, doesLoad } from '../source-loads.ts'
import { squeeze } from '../squeeze.ts'
import type { Fault, Place } from './places.ts'

/**
 * The line before, where a command was still looking for an option when it failed. TeX had read nothing but `\begin`
 * or `\end` of the reported line, and neither fails before it has its name.
 */
export function findLookahead({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !/^\\(?:begin|end)$/.test(squeeze(error.lineBefore)) || error.inner !== null) return null
  if (/^Undefined control sequence|^Extra |^Misplaced|^Missing/.test(error.message)) return null
  return lastLineBefore(sources.code(file), line, file)
}

/** The path of a picture that lacks its semicolon; TikZ notices at the next command. */
export function findSemicolon({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('Did you forget a semicolon')) return null
  const code = sources.code(file)
  const place = lastLineBefore(code, line, file)
  const isWhole = /;\s*$|\\begin\{/.test(code[(place?.line ?? 1) - 1] ?? '')
  return isWhole ? null : place
}

/** The command that loads a package which complains only when the document begins. */
export function findLateComplaint({ error, reported, sources }: Fault): Place | null {
  const name = /^Package (\S+) Error: /.exec(error.message)?.[1]
  const { file, line } = reported
  if (name === undefined || line === null) return null
  if (!(sources.code(file)[line - 1] ?? '').includes('\\begin{document}')) return null
  const load = listSourceLoads(sources, file).find((candidate) => doesLoad(candidate, `${name}.sty`))
  return load === undefined ? null : { file, line: load.nameLine }
}

function lastLineBefore(code: readonly string[], line: number, file: string): Place | null {
  const found = code.slice(0, line - 1).findLastIndex((text) => text.trim() !== '')
  return found < 0 ? null : { file, line: found + 1 }
}
