import { html } from 'hono/html'

import { scanBibliography, type Citation } from '../../../operations/project-index/scan-source-file.ts'
import { decodeText } from '../decode-text.ts'
import { startOfPart } from '../source/source-part.ts'

/** Entries shown; the source has the rest. */
const MAX_ENTRIES = 2_000

/** A .bib file as an HTML list of its entries. Runs on a thread. */
export async function renderBibliography(bytes: Uint8Array): Promise<string> {
  const entries = scanBibliography(decodeText(bytes))
  const shown = entries.slice(0, MAX_ENTRIES)
  const seen = new Set<string>()
  const list = shown.map((entry) => {
    const isRepeated = seen.has(entry.key)
    seen.add(entry.key)
    return renderEntry(entry, { isRepeated })
  })
  return String(
    await html`${
      entries.length === 0
        ? html`<p class="quiet">This file has no entries.</p>`
        : html`<ol class="bibliography">
            ${list}
          </ol>`
    }
    ${entries.length > MAX_ENTRIES ? html`<p class="quiet">The first ${MAX_ENTRIES} entries. <a href="?view=source">All lines</a></p>` : ''}`,
  )
}

/** `isRepeated` = an earlier entry has the same key, which BibTeX refuses. */
function renderEntry(
  { key, author, year, title, line }: Citation,
  { isRepeated }: { readonly isRepeated: boolean },
): ReturnType<typeof html> {
  const start = startOfPart(line)
  const source = `?view=source${start === 1 ? '' : `&from=${start}`}#L${line}`
  return html`<li ${isRepeated ? '' : html`id="entry-${key}"`}>
    <p class="entry-title">${title === '' ? html`<span class="quiet">No title</span>` : title}</p>
    <p>
      ${author === '' ? 'No author' : author}${year === '' ? '' : `, ${year}`} ·
      <a href="#entry-${encodeURIComponent(key)}"><code>${key}</code></a> · <a href="${source}">Line ${line}</a>
      ${isRepeated ? html`<span class="proof-failed">✕ duplicate key</span>` : ''}
    </p>
  </li>`
}
