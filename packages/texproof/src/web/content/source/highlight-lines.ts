import { createRequire } from 'node:module'

import { bibtex } from './bibtex.ts'
import { LANGUAGES, type Language } from './find-language.ts'
import { markLatex } from './mark-latex.ts'

/** The part of the highlighter used here: its own types require browser types. */
interface Highlighter {
  registerLanguage(name: Language, grammar: unknown): void
  configure(options: { readonly classPrefix: string }): void
  highlight(
    source: string,
    options: { readonly language: Language; readonly ignoreIllegals: boolean },
  ): { readonly value: string }
}

const load = createRequire(import.meta.url)
let loaded: Highlighter | null = null

/** Loads the highlighter on first use: most sources are LaTeX, which does not need it. */
function openHighlighter(): Highlighter {
  if (loaded !== null) return loaded
  loaded = load('highlight.js/lib/core') as Highlighter
  // All, because a source can contain another language. The grammar of BibTeX is our own: it distinguishes more.
  for (const language of LANGUAGES) {
    if (language === 'latex') continue
    loaded.registerLanguage(language, language === 'bibtex' ? bibtex : load(`highlight.js/lib/languages/${language}`))
  }
  return loaded
}

/**
 * The scopes of the highlighter map to five colors and bold; the rest stays uncolored. Each has an element without
 * meaning for screen readers, because a tag with a class is three times as long.
 */
const SCOPES = {
  b: 'keyword name selector-tag',
  strong: 'section',
  i: 'comment quote meta',
  em: 'string regexp addition code',
  u: 'number literal symbol bullet built_in type formula',
  var: 'attr attribute title variable link',
} as const
const ELEMENT_OF = new Map<string, string>()
for (const [element, scopes] of Object.entries(SCOPES))
  for (const scope of scopes.split(' ')) ELEMENT_OF.set(`hljs-${scope}`, element)

/**
 * Highlights a source: one HTML text per line, each with its own tags closed. Text is escaped; the only tags are `<b>`,
 * `<strong>`, `<i>`, `<em>`, `<u>` and `<var>`. They occur thousands of times on a page, so they are short; not `<q>`,
 * which adds quotation marks where style sheets are not read.
 */
export function highlightLines(source: string, language: Language): readonly string[] {
  const text = source.replaceAll('\r\n', '\n')
  if (language === 'latex') return splitMarkedLines(markLatex(text))
  const { value } = openHighlighter().highlight(text, { language, ignoreIllegals: true })
  return splitMarkedLines(paint(value))
}

/** Replaces the highlighter's scopes with these elements; tags without a color are removed. */
function paint(marked: string): string {
  const open: (string | undefined)[] = []
  const painted = marked.replaceAll(/<span class="([\w-]+)[^>]*>|<\/span>/g, (_, scope: string | undefined) => {
    const element = scope === undefined ? open.pop() : ELEMENT_OF.get(scope)
    if (scope !== undefined) open.push(element)
    if (element === undefined) return ''
    return scope === undefined ? `</${element}>` : `<${element}>`
  })
  // Merges adjacent tags of one color.
  return painted.replaceAll(/<\/(\w+)><\1>/g, '')
}

/** Splits marked text at line ends: open tags are closed before the split and opened again after it. */
export function splitMarkedLines(marked: string): readonly string[] {
  const open: string[] = []
  return marked.split('\n').map((line) => {
    const start = open.join('')
    for (const [tag] of line.matchAll(/<\/?[a-z]+>/g)) {
      if (tag.startsWith('</')) open.pop()
      else open.push(tag)
    }
    return (
      start +
      line +
      open
        .map((tag) => tag.replace('<', '</'))
        .toReversed()
        .join('')
    )
  })
}
