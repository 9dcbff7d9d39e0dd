import { listSourceLoads, doesLoad } from '../source-loads.ts'
import { squeeze } from '../squeeze.ts'
import type { Fault, Place } from './places.ts'

/**
 * The line before, where a command was still looking for an option when it failed. TeX had read nothing but `\begin`
 * or `\end` of the reported line, and neither fails before it has its name.
 */
export function findLookahead({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null) return null
  if (/^\s*[^\s\\]$/.test(error.lineBefore)) return findLookedFor(error.message, sources.code(file), { file, line })
  if (!/^\\(?:begin|end)$/.test(squeeze(error.lineBefore)) || error.inner !== null) return null
  if (/^Undefined control sequence|^Extra |^Misplaced|^Missing/.test(error.message)) return null
  return lastLineBefore(sources.code(file), line, file)
}

/** The line before, if TeX had read only the first letter of this one, and the command at its end may have an option. */
function findLookedFor(
  message: string,
  code: readonly string[],
  { file, line }: { readonly file: string; readonly line: number },
): Place | null {
  const command = message.includes("There's no line here to end")
    ? /\\(?:\\|newline)\s*$/
    : message.includes('Not in outer par mode')
      ? /\\begin\{[a-zA-Z]+\*?\}\s*$/
      : null
  const before = lastLineBefore(code, line, file)
  return before !== null && command?.test(code[(before.line ?? 0) - 1] ?? '') === true ? before : null
}

/** The command before `\begin{document}` that took `\begin` for its argument, or a table without column types. */
export function findMissingArgument({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null) return null
  const code = sources.code(file)
  const before = lastLineBefore(code, line, file)
  const isPreamble = error.message.includes('Missing \\begin{document}') && /^\s*\\begin\{d$/.test(error.lineBefore)
  const isTable =
    error.message.includes('Illegal character in array arg') &&
    /\\begin\{(?:tabular|array)\}\s*$/.test(code[(before?.line ?? 0) - 1] ?? '')
  return isPreamble || isTable ? before : null
}

/** The command that took `\begin{document}` for its argument. LaTeX then did not write the `.aux` file that it reads at the end. */
export function findSwallowedBeginning({ error, reported, sources }: Fault): Place | null {
  if (!/^I can't find file [`'].*\.aux'|Missing \\begin\{document\}/.test(error.message)) return null
  const code = sources.code(reported.file)
  const begun = code.findIndex((text) => text.startsWith('\\begin{document}'))
  if (begun < 0 || reported.line === null || reported.line <= begun + 1) return null
  return lastLineBefore(code, begun + 1, reported.file)
}

/** The row before: siunitx reads the beginning of the next row before it checks a number. */
export function findInvalidNumber({ error, reported, sources }: Fault): Place | null {
  const text = /Error: Invalid number '(.+?)'/.exec(error.message)?.[1]
  const { file, line } = reported
  if (text === undefined || line === null) return null
  const code = sources.code(file)
  const before = lastLineBefore(code, line, file)
  const isBefore = !(code[line - 1] ?? '').includes(text) && (code[(before?.line ?? 0) - 1] ?? '').includes(text)
  return isBefore ? before : null
}

/** The path of a picture without its semicolon; TikZ reports it at the next command. */
export function findSemicolon({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.includes('Did you forget a semicolon')) return null
  const code = sources.code(file)
  const place = findOpenPath(code, line, file) ?? lastLineBefore(code, line, file)
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

const PATH = /^\s*\\(?:addplot3?\+?|draw|fill|filldraw|path|node|coordinate|clip|shade|pattern)(?![A-Za-z])/
const MAX_LINES_OF_PICTURE = 1_000

/** In an environment that is read as a whole, such as an axis: the last line of the path before another one. */
function findOpenPath(code: readonly string[], line: number, file: string): Place | null {
  const name = /\\end\{(axis|semilogxaxis|semilogyaxis|loglogaxis|polaraxis|scope)\}/.exec(code[line - 1] ?? '')?.[1]
  if (name === undefined) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${name}}`))
  if (begun < 0 || line - begun > MAX_LINES_OF_PICTURE) return null
  let open: number | null = null
  for (let at = begun + 1; at < line; at += 1) {
    const text = code[at] ?? ''
    if (open !== null && (PATH.test(text) || at === line - 1)) return { file, line: open + 1 }
    if (PATH.test(text) || open !== null) {
      if (text.trim() !== '') open = at
      if (text.includes(';')) open = null
    }
  }
  return null
}

function lastLineBefore(code: readonly string[], line: number, file: string): Place | null {
  const found = code.slice(0, line - 1).findLastIndex((text) => text.trim() !== '')
  return found < 0 ? null : { file, line: found + 1 }
}
