import { createRequire } from 'node:module'

import { bibtex } from './bibtex.ts'
import { LANGUAGES, type Language } from './find-language.ts'

/** What we use of the highlighter: its own types would declare the whole of a browser for this program. */
interface Highlighter {
  registerLanguage(name: Language, grammar: unknown): void
  configure(options: { readonly classPrefix: string }): void
  highlight(
    source: string,
    options: { readonly language: Language; readonly ignoreIllegals: boolean },
  ): { readonly value: string }
}

const load = createRequire(import.meta.url)
const highlighter = load('highlight.js/lib/core') as Highlighter
highlighter.configure({ classPrefix: 'x-' })
for (const language of LANGUAGES)
  highlighter.registerLanguage(
    language,
    language === 'bibtex' ? bibtex : load(`highlight.js/lib/languages/${language}`),
  )

/**
 * Colours a source: one HTML text a line, each with its own tags closed. What stands between the tags is escaped; the
 * tags are `<span class="x-…">` and nothing else.
 */
export function highlightLines(source: string, language: Language): readonly string[] {
  const { value } = highlighter.highlight(source.replaceAll('\r\n', '\n'), { language, ignoreIllegals: true })
  return splitMarkedLines(value)
}

/** Cuts marked text at its line ends: what is open is closed before the cut and opened again behind it. */
export function splitMarkedLines(marked: string): readonly string[] {
  const open: string[] = []
  return marked.split('\n').map((line) => {
    const start = open.join('')
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag.startsWith('</')) open.pop()
      else open.push(tag)
    }
    return start + line + '</span>'.repeat(open.length)
  })
}
