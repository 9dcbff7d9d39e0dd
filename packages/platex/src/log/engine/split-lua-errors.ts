/** LuaTeX prints an error of Lua where it stands, also behind the names of files that it reads and the text that Lua prints. */

const LEAD = /^((?:\s*\([^\s()]*|\s*\))*\s*\))(?=[^\s()])(.+)$/
const TRACE = 'stack traceback:'
const MAX_LINES_OF_MESSAGE = 6
const MAX_LINES_OF_TRACE = 6
/** The context between them has two lines for each macro. */
const MAX_LINES_TO_HELP = 30
const HELP = 'The lua interpreter ran into a problem'

/** The lines, with each error of Lua on a line of its own. */
export function splitLuaErrors(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    const [, lead, message] = line.startsWith('(') || line.includes(')') ? (LEAD.exec(line) ?? []) : []
    if (lead === undefined || message === undefined) return splitAtTracedPlace(lines, at)
    const below = lines.slice(at + 1, at + 1 + MAX_LINES_OF_MESSAGE)
    const isLua = /\.lua:\d+: /.test(message) && below.slice(0, 2).some((next) => /^l\.\d+ /.test(next))
    return isLua || below.includes(TRACE) ? [lead, message] : splitAtChunk(lines, at)
  })
}

/** Splits a line before an error of syntax, which has no traceback, also behind the number of a page. */
function splitAtChunk(lines: readonly string[], at: number): readonly string[] {
  const line = lines[at] ?? ''
  const start = line.search(/\[\\(?:direct|late)lua\]:\d+: /)
  if (start <= 0) return [line]
  const isError = lines.slice(at + 1, at + 1 + MAX_LINES_TO_HELP).some((below) => below.startsWith(HELP))
  return isError ? [line.slice(0, start), line.slice(start)] : [line]
}

/** Splits a line above a traceback before the place of the error, which the traceback names: `[\directlua]:1:`. */
function splitAtTracedPlace(lines: readonly string[], at: number): readonly string[] {
  const line = lines[at] ?? ''
  if (lines[at + 1] !== TRACE) return splitAtChunk(lines, at)
  for (const traced of lines.slice(at + 2, at + 2 + MAX_LINES_OF_TRACE)) {
    const place = /^\t(\S.*?:\d+:) in /.exec(traced)?.[1]
    const start = place === undefined ? -1 : line.indexOf(`${place} `)
    if (start !== -1) return start === 0 ? [line] : [line.slice(0, start), line.slice(start)]
  }
  return [line]
}
