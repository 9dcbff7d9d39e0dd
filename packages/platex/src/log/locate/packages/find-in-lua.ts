import type { Fault, Place } from '../places.ts'

/** The line of the Lua code that failed: in a file of the project, or in an environment of luacode. */
export function findInLua({ error, reported, sources }: Fault): Place | null {
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
