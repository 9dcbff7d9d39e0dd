/**
 * Formulas in Markdown, as GitHub writes them: `$…$` and ``$`…`$`` within a line, `$$…$$`, and a fenced block `math`. The
 * plugins that exist do not know all four, or require another version of the parser.
 */
import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>
type InlineRule = Parameters<Markdown['inline']['ruler']['push']>[1]
type BlockRule = Parameters<Markdown['block']['ruler']['push']>[1]

/** A formula as written. */
export interface Formula {
  readonly source: string
  readonly isDisplay: boolean
}

/** Maximum length of a formula. Also limits the search for its end at each dollar sign. */
const MAX_INLINE_LENGTH = 2_000
const MAX_BLOCK_LENGTH = 10_000

/**
 * Adds formulas to a parser.
 *
 * @param render Returns the HTML of a formula; `env` is the one given to `markdown.render`.
 */
export function addMath(markdown: Markdown, render: (formula: Formula, env: unknown) => string): void {
  const { rules } = markdown.renderer
  const { fence } = rules
  markdown.inline.ruler.before('escape', 'math_inline', parseInline)
  markdown.block.ruler.before('fence', 'math_block', parseBlock, { alt: ['paragraph', 'blockquote', 'list'] })
  rules['math_inline'] = (tokens, at, _options, env) =>
    render({ source: tokens[at]?.content ?? '', isDisplay: tokens[at]?.markup === '$$' }, env)
  rules['math_block'] = (tokens, at, _options, env) =>
    `<p>${render({ source: tokens[at]?.content ?? '', isDisplay: true }, env)}</p>\n`
  rules['fence'] = (tokens, at, options, env, self) => {
    const token = tokens[at]
    if (token?.info.trim() !== 'math') return fence?.(tokens, at, options, env, self) ?? ''
    return `<p>${render({ source: token.content, isDisplay: true }, env)}</p>\n`
  }
}

const parseInline: InlineRule = (state, isSilent) => {
  const { src, pos } = state
  if (src[pos] !== '$') return false
  const found = findInline(src.slice(pos, Math.min(state.posMax, pos + MAX_INLINE_LENGTH)), src[pos - 1] ?? ' ')
  if (found === null) return false
  if (!isSilent) {
    const token = state.push('math_inline', 'math', 0)
    token.content = found.source
    token.markup = found.mark
  }
  state.pos += found.length
  return true
}

interface InlineFormula {
  readonly source: string
  readonly mark: string
  /** Including its delimiters. */
  readonly length: number
}

function findInline(text: string, before: string): InlineFormula | null {
  for (const [start, end] of [
    ['$`', '`$'],
    ['$$', '$$'],
  ] as const) {
    if (!text.startsWith(start)) continue
    const at = text.indexOf(end, 2)
    const source = text.slice(2, Math.max(2, at)).trim()
    return source === '' ? null : { source, mark: start, length: at + 2 }
  }
  return findBetweenDollars(text, before)
}

/** Prices are not formulas: `$5 or $6`, `US$5 and US$6`, `$HOME/a and $HOME/b`. */
function findBetweenDollars(text: string, before: string): InlineFormula | null {
  if (/[\p{L}\p{N}$]/u.test(before)) return null
  const [whole, source] = /^\$(?!\s)((?:\\[^]|[^\\$])+)(?<!\s)\$(?![\p{L}\p{N}])/u.exec(text) ?? []
  return whole === undefined || source === undefined ? null : { source, mark: '$', length: whole.length }
}

/** `$$` at the beginning of a line, up to the next `$$` at the end of a line in the same paragraph. */
const parseBlock: BlockRule = (state, startLine, endLine, isSilent) => {
  const lineOf = (line: number): string =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]).trimEnd()
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4 || !lineOf(startLine).startsWith('$$')) return false
  const lines: string[] = []
  let length = 0
  for (let line = startLine; line < endLine && length <= MAX_BLOCK_LENGTH; line += 1) {
    const text = line === startLine ? lineOf(line).slice(2) : lineOf(line)
    if (line > startLine && (text === '' || (state.sCount[line] ?? 0) < state.blkIndent)) return false
    const end = text.indexOf('$$')
    lines.push(end === -1 ? text : text.slice(0, end))
    length += text.length
    if (end === -1) continue
    const content = lines.join('\n').trim()
    if (end !== text.length - 2 || content === '') return false
    if (isSilent) return true
    const token = state.push('math_block', 'math', 0)
    token.content = content
    token.block = true
    token.map = [startLine, line + 1]
    state.line = line + 1
    return true
  }
  return false
}
