import { html } from 'hono/html'

import { readableLog, type LogPart } from './readable-log.ts'
import type { Html } from '../ui/html.ts'

/** A log of TeX as HTML, what says nothing of the document folded away. Runs on a thread. */
export async function renderLog(log: string): Promise<string> {
  return String(await html`${readableLog(log).map(logPart)}`)
}

function logPart({ kind, lines }: LogPart): Html {
  const text = html`<pre tabindex="0">${lines.join('\n')}</pre>`
  if (kind === 'told') return text
  return html`<details class="folded">
    <summary>${lines.length} lines of loading</summary>
    ${text}
  </details>`
}
