import { escapeHtml } from './escape-html.ts'
import { findLanguage } from './find-language.ts'
import { highlightApart } from './highlight-apart.ts'

/** The lines of a source as safe HTML: in colour where its language is known and the colours are ready, else plain. */
export async function sourceLines(
  path: string,
  { objectId, text }: { readonly objectId: string; readonly text: string },
): Promise<readonly string[]> {
  const source = text.replace(/\r?\n$/, '')
  const language = findLanguage(path)
  const coloured = language === null ? null : await highlightApart({ objectId, text: source, language })
  return coloured ?? source.split(/\r?\n/).map(escapeHtml)
}
