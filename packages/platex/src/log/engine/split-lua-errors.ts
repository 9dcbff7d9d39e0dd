/** LuaTeX prints an error of Lua where it stands, also behind the names of files that it reads. */

const LEAD = /^((?:\s*\([^\s()]*|\s*\))*\s*\))(?=[^\s()])(.+)$/
const TRACE = 'stack traceback:'
const MAX_LINES_OF_MESSAGE = 6

/** The lines, with each error of Lua on a line of its own. */
export function splitLuaErrors(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line, at) => {
    const [, lead, message] = line.startsWith('(') || line.includes(')') ? (LEAD.exec(line) ?? []) : []
    if (lead === undefined || message === undefined) return [line]
    const below = lines.slice(at + 1, at + 1 + MAX_LINES_OF_MESSAGE)
    const isLua = /\.lua:\d+: /.test(message) && below.slice(0, 2).some((next) => /^l\.\d+ /.test(next))
    return isLua || below.includes(TRACE) ? [lead, message] : [line]
  })
}
