import type { LatexWarning } from '../../base/types.ts'
import { groupEnd } from '../group-end.ts'
import type { SourceTexts } from '../source-texts.ts'
import { warning } from './warning.ts'

const MAX_LINES = 500
const STRING = /"[^"\n]{0,300}"|'[^'\n]{0,300}'/g

/** In \directlua the code is one line for Lua, because TeX makes spaces of line ends: "--" hides all of the rest. */
export function findLuaComments(sources: SourceTexts): readonly LatexWarning[] {
  return sources.files
    .filter((file) => /\.(?:tex|ltx)$/.test(file))
    .flatMap((file) => {
      const code = sources.code(file)
      // With another category of the line end, comments end there.
      if (code.some((text) => /\\endlinechar|\\obeylines/.test(text))) return []
      return code.flatMap((text, index) => {
        const line = text.includes('\\directlua') ? findComment(code.slice(index, index + MAX_LINES)) : null
        return line === null ? [] : [warning(file, index + line, 'Here "--" makes the rest of \\directlua a comment.')]
      })
    })
}

/** The line, counted from 1, of a comment with code after it in the \directlua of the first line; null if there is none. */
function findComment(lines: readonly string[]): number | null {
  const text = lines.join('\n')
  const begun = text.indexOf('{', text.indexOf('\\directlua'))
  const end = begun === -1 ? null : groupEnd(text, begun)
  if (end === null) return null
  const code = text.slice(0, end).replace(STRING, (string) => '.'.repeat(string.length))
  const comment = code.slice(begun).search(/--(?!\[)/)
  if (comment === -1) return null
  const rest = code.slice(begun + comment)
  if (!rest.includes('\n') || rest.slice(rest.indexOf('\n')).trim() === '') return null
  return code.slice(0, begun + comment).split('\n').length
}
