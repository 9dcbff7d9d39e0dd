import { decodeText } from './decode-text.ts'
import { escapeHtml } from './escape-html.ts'
import { findLanguage } from './find-language.ts'
import { highlightApart } from './highlight-apart.ts'

/** The lines of a source as safe HTML: in colour where its language is known and the colours are ready, else plain. */
export async function sourceLines(
  path: string,
  { objectId, bytes }: { readonly objectId: string; readonly bytes: Uint8Array },
): Promise<readonly string[]> {
  const readText = (): string => decodeText(bytes).replace(/\r?\n$/, '')
  const language = findLanguage(path)
  const coloured = language === null ? null : await highlightApart({ objectId, language, readText })
  return coloured ?? readText().split(/\r?\n/).map(escapeHtml)
}
