import { createRequire } from 'node:module'

import { bibtex } from './bibtex.ts'
import { LANGUAGES, type Language } from './find-language.ts'
import { latex } from './latex.ts'

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
/** Grammars of our own, where the highlighter has none or one that tells too little apart. */
const GRAMMARS: Partial<Record<Language, unknown>> = { bibtex, latex }
for (const language of LANGUAGES)
  highlighter.registerLanguage(language, GRAMMARS[language] ?? load(`highlight.js/lib/languages/${language}`))

/**
 * What the highlighter tells apart comes down to five colours and bold; the rest of a source stays ink. Each has an element of
 * its own that means nothing to whoever listens, since a tag with a class is three times as long.
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
 * Colours a source: one HTML text a line, each with its own tags closed. What stands between the tags is escaped; the
 * tags are `<b>`, `<strong>`, `<i>`, `<em>`, `<u>` and `<var>`, and nothing else. They stand thousands of times on a page, so they
 * are short; but no `<q>`, which puts marks of its own into the code wherever style sheets are not read.
 */
export function highlightLines(source: string, language: Language): readonly string[] {
  const { value } = highlighter.highlight(source.replaceAll('\r\n', '\n'), { language, ignoreIllegals: true })
  return splitMarkedLines(paint(value))
}

/** Puts our elements in the place of the highlighter's scopes; a tag without a colour goes, and its end with it. */
function paint(marked: string): string {
  const open: (string | undefined)[] = []
  const painted = marked.replaceAll(/<span class="([\w-]+)[^>]*>|<\/span>/g, (_, scope: string | undefined) => {
    const element = scope === undefined ? open.pop() : ELEMENT_OF.get(scope)
    if (scope !== undefined) open.push(element)
    if (element === undefined) return ''
    return scope === undefined ? `</${element}>` : `<${element}>`
  })
  // Neighbours of one colour are one.
  return painted.replaceAll(/<\/(\w+)><\1>/g, '')
}

/** Cuts marked text at its line ends: what is open is closed before the cut and opened again behind it. */
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
