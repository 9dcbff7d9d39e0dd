/** Formulas as details: inline, displayed, and in environments. The server renders them. */
import type { EditorState, Extension } from '@codemirror/state'

import { detailsFrom } from './details.browser.ts'
import { postProject } from './post-project.browser.ts'

interface FoundFormula {
  readonly from: number
  readonly to: number
  readonly source: string
  readonly isDisplay: boolean
}

/** No formula contains an empty line, so that one is found in its paragraph. */
const MAX_PARAGRAPH = 5_000
const MAX_KEPT = 50
const ENVIRONMENTS = 'equation|align|alignat|gather|multline|displaymath|math'
const TOKEN = new RegExp(
  String.raw`%[^\n]*|\\(?<edge>begin|end)\{(?<name>${ENVIRONMENTS})\*?\}|\\(?<mark>[()[\]])|\\[^]|(?<dollars>\$\$?)`,
  'g',
)

/** Shows the formula under the pointer or at the cursor. */
export function formulas(form: HTMLFormElement | null): Extension {
  const address = form?.dataset['formula']
  if (form === null || address === undefined) return []
  const kept = new Map<string, string>()
  const render = async ({ source, isDisplay }: FoundFormula): Promise<string | null> => {
    const key = `${isDisplay} ${source}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const fields = [['source', source] as const, ['display', isDisplay ? '1' : ''] as const]
    const answer = await postProject<{ readonly html: string }>(form, address, { fields })
    // Without a network or a session: the next attempt may succeed.
    if (answer.kind !== 'done') return null
    const { html } = answer.result
    if (kept.size === MAX_KEPT) kept.clear()
    kept.set(key, html)
    return html
  }
  return detailsFrom(async ({ state }, position) => {
    const found = findFormula(state, position)
    const html = found === null ? null : await render(found)
    if (found === null || html === null) return null
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create() {
        const dom = document.createElement('div')
        dom.className = 'cm-formula'
        // MathML that the server has sanitized.
        dom.innerHTML = html
        return { dom }
      },
    }
  })
}

/** The formula at a position. */
function findFormula({ doc }: EditorState, position: number): FoundFormula | null {
  const start = Math.max(0, position - MAX_PARAGRAPH)
  const before = doc.sliceString(start, position)
  const paragraph = Math.max(0, ...[...before.matchAll(/\n[ \t]*\n/g)].map(({ index, 0: gap }) => index + gap.length))
  const rest = doc.sliceString(position, position + MAX_PARAGRAPH)
  const end = /\n[ \t]*\n/.exec(rest)?.index ?? rest.length
  const text = before.slice(paragraph) + rest.slice(0, end)
  const offset = start + paragraph
  let open: { readonly close: string; readonly at: number; readonly inside: number; readonly name: string } | null =
    null
  for (const { index, 0: token, groups = {} } of text.matchAll(TOKEN)) {
    const { edge, name = '', mark, dollars } = groups
    if (edge === undefined && mark === undefined && dollars === undefined) continue
    if (open === null) {
      const close = closingOf(token)
      if (close !== null) open = { close, at: index, inside: index + token.length, name }
      continue
    }
    if (token !== open.close) continue
    const [from, to] = [offset + open.at, offset + index + token.length]
    if (from <= position && position <= to) return { from, to, ...read(text.slice(open.inside, index), open) }
    open = null
  }
  return null
}

/** The token that ends a formula which begins with this one. */
function closingOf(token: string): string | null {
  if (token.startsWith('$')) return token
  if (token === '\\(') return '\\)'
  if (token === '\\[') return '\\]'
  return token.startsWith('\\begin') ? token.replace('begin', 'end') : null
}

/** The formula without numbers and labels. */
function read(
  inside: string,
  { close, name }: { readonly close: string; readonly name: string },
): Pick<FoundFormula, 'source' | 'isDisplay'> {
  const source = inside
    .replaceAll(/\\(?:label|tag\*?)\{[^{}\n]{0,200}\}|\\(?:nonumber|notag)(?![a-zA-Z])/g, '')
    .replaceAll(/(?<!\\)%[^\n]*/g, '')
    .trim()
  const isPlain = name === '' || name === 'displaymath' || name === 'math'
  const isDisplay = !(close === '$' || close === '\\)' || name === 'math')
  return { source: isPlain ? source : `\\begin{${name}*}${source}\\end{${name}*}`, isDisplay }
}
