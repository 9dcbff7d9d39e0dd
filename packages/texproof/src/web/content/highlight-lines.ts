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
for (const language of LANGUAGES)
  highlighter.registerLanguage(
    language,
    language === 'bibtex' ? bibtex : load(`highlight.js/lib/languages/${language}`),
  )

/** What the highlighter tells apart comes down to five colours; the rest of a source stays ink. */
const COLOURS = {
  c: 'comment quote meta',
  w: 'keyword section name selector-tag',
  t: 'string regexp addition code',
  v: 'number literal symbol bullet built_in type',
  n: 'attr attribute title variable link',
} as const
const COLOUR_OF = new Map<string, string>()
for (const [colour, scopes] of Object.entries(COLOURS))
  for (const scope of scopes.split(' ')) COLOUR_OF.set(`hljs-${scope}`, colour)

/**
 * Colours a source: one HTML text a line, each with its own tags closed. What stands between the tags is escaped; the
 * tags are `<span class=c>` with one of five letters, and nothing else. They stand thousands of times on a page, so
 * they are as short as they can be.
 */
export function highlightLines(source: string, language: Language): readonly string[] {
  const { value } = highlighter.highlight(source.replaceAll('\r\n', '\n'), { language, ignoreIllegals: true })
  return splitMarkedLines(paint(value))
}

/** Puts our colours in the place of the highlighter's scopes; a tag without a colour goes, and its end with it. */
function paint(marked: string): string {
  const kept: boolean[] = []
  return marked.replaceAll(/<span class="([\w-]+)[^>]*>|<\/span>/g, (tag, scope: string | undefined) => {
    if (scope === undefined) return kept.pop() === true ? tag : ''
    const colour = COLOUR_OF.get(scope)
    kept.push(colour !== undefined)
    return colour === undefined ? '' : `<span class=${colour}>`
  })
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
