import { createRequire } from 'node:module'

import type MarkdownIt from 'markdown-it'

type Markdown = InstanceType<typeof MarkdownIt>

/** The plugin's data of a rendered footnote: its number, and which of its references this is, from 0. */
interface FootnoteMeta {
  readonly id: number
  readonly subId?: number
}

const plugin = createRequire(import.meta.url)('markdown-it-footnote') as (markdown: Markdown) => void

/** The plugin takes seconds for more, because its time is quadratic. */
const MAX_FOOTNOTES = 2_000

/**
 * Renders `[^label]` as footnotes at the end of the text, with links between the two.
 *
 * `env.notePrefix` keeps the ids of several texts on a page apart. The parser throws an Error for too many footnotes.
 */
export function addFootnotes(markdown: Markdown): void {
  markdown.use(plugin)
  // GitHub has no inline footnotes, `^[text]`.
  markdown.inline.ruler.disable('footnote_inline')
  markdown.core.ruler.before('footnote_tail', 'footnote_limit', ({ env }) => {
    const { list = [] } = (env as { readonly footnotes?: { readonly list?: readonly unknown[] } }).footnotes ?? {}
    if (list.length > MAX_FOOTNOTES) throw new Error('the text has too many footnotes')
  })
  const { rules } = markdown.renderer
  rules['footnote_ref'] = (tokens, at, _options, env) => {
    const { note, reference, prefix } = readIds(tokens[at]?.meta, env)
    return `<sup><a href="#fn-${prefix}${note}" id="fnref-${prefix}${reference}">${note}</a></sup>`
  }
  rules['footnote_block_open'] = () => '<section class="footnotes" aria-label="Footnotes">\n<ol>\n'
  rules['footnote_open'] = (tokens, at, _options, env) => {
    const { note, prefix } = readIds(tokens[at]?.meta, env)
    return `<li id="fn-${prefix}${note}">`
  }
  rules['footnote_anchor'] = (tokens, at, _options, env) => {
    const { reference, prefix } = readIds(tokens[at]?.meta, env)
    return ` <a href="#fnref-${prefix}${reference}" aria-label="Back to reference ${reference}">↩\uFE0E</a>`
  }
}

interface NoteIds {
  readonly note: string
  readonly reference: string
  readonly prefix: string
}

function readIds(meta: unknown, env: unknown): NoteIds {
  const { id, subId = 0 } = meta as FootnoteMeta
  const { notePrefix: prefix } = env as { readonly notePrefix: string }
  const note = String(id + 1)
  return { note, reference: subId === 0 ? note : `${note}-${subId + 1}`, prefix }
}
