import { filesToSearch, type Fault, type Place } from '../places.ts'
import { countOpen } from '../find-unclosed.ts'

type NotedPlace = Place & { readonly note: string }

/** The line of the Lua code that failed: in a file of the project, in an environment of luacode, or in \directlua. */
export function findInLua(fault: Fault): (Place & { readonly note?: string }) | null {
  return findFailed(fault) ?? findCutCode(fault) ?? findSwallowingComment(fault)
}

function findFailed({ error, reported, sources }: Fault): Place | null {
  const [, name = '', number = ''] = /^(?:\.\/)?(\S{1,200}\.lua):(\d{1,7}): /.exec(error.message) ?? []
  if (sources.has(name)) return { file: name, line: Number(number) }
  const { file, line } = reported
  const inCode = /^\[\\directlua\]:(\d{1,7}): /.exec(error.message)?.[1]
  if (inCode === undefined || line === null) return null
  const code = sources.code(file)
  const environment = /\\end\{(luacode\*?)\}/.exec(code[line - 1] ?? '')?.[1]
  if (environment === undefined) return null
  const begun = code.slice(0, line).findLastIndex((text) => text.includes(`\\begin{${environment}}`))
  return begun === -1 ? null : { file, line: Math.min(begun + 1 + Number(inCode), line) }
}

const HIDES_REST = 'Here "%" hides the rest of a line of Lua.'
const MAX_LINES = 500
const BEGIN = /\\(?:directlua|latelua|luaexec|luadirect)\s*\{/

/** The first line of \directlua whose end TeX has read as a comment. */
function findCutCode({ error, reported, sources }: Fault): NotedPlace | null {
  const { file, line } = reported
  if (line === null || !/^\[\\(?:directlua|latelua|luaexec)\]:/.test(error.message)) return null
  const code = sources.code(file)
  const from = Math.max(0, line - MAX_LINES)
  const begun = from + code.slice(from, line).findLastIndex((text) => BEGIN.test(text))
  if (begun < from) return null
  const found = sources
    .lines(file)
    .slice(begun, line)
    .findIndex((text, index) => {
      const read = code[begun + index] ?? ''
      return read.trim() !== '' && text.slice(read.length).replace(/^%/, '').trim() !== ''
    })
  return found === -1 ? null : { file, line: begun + found + 1, note: HIDES_REST }
}

/** Errors of LuaTeX at the end of the document, which it has read as Lua code. */
const AFTER_CODE = /^Undefined control sequence(?:: \\MessageBreak)?\.?$|^Incomplete \\if|no legal \\end found/

/** A \directlua whose "}" is behind a "%". */
function findSwallowingComment(fault: Fault): NotedPlace | null {
  if (!AFTER_CODE.test(fault.error.message)) return null
  for (const file of filesToSearch(fault)) {
    const code = fault.sources.code(file)
    const found = fault.sources.lines(file).findIndex((text, index) => {
      const read = code[index] ?? ''
      return BEGIN.test(read) && countOpen(read) > 0 && countOpen(text.slice(read.length)) <= -countOpen(read)
    })
    if (found !== -1) return { file, line: found + 1, note: HIDES_REST }
  }
  return null
}
