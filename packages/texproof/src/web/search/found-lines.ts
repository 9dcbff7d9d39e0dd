import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import type { FoundLine } from '../../git/history/search-text.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { lineHref } from '../content/line-href.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'

/** Characters of a line shown on either side of a match. */
const AROUND = 160

/** The query and the ref searched. */
export interface FoundPlace {
  readonly repository: Repository
  readonly refName: string
  readonly text: string
  readonly isCaseSensitive: boolean
}

/** Matching lines by file, with the matches marked. */
export function foundLines(lines: readonly FoundLine[], place: FoundPlace): Html {
  const files = Map.groupBy(lines, ({ path }) => path)
  return html`${[...files].map(([path, found]) => {
    const href = `${repositoryPath(place.repository)}/blob/${encodePath(place.refName)}/${encodePath(path)}`
    return html`<section class="found">
      <h3><a href="${href}">${breakable(path)}</a></h3>
      <table class="code">
        <tbody>
          ${found.map(
            ({ line, text }) =>
              html`<tr>
                <td class="number">
                  <a href="${lineHref(place.repository, place.refName, { path, line })}">${line}</a>
                </td>
                <td><code>${markText(text, place)}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`
  })}`
}

function markText(line: string, { text, isCaseSensitive }: FoundPlace): Html | string {
  const at = isCaseSensitive ? line.indexOf(text) : line.toLowerCase().indexOf(text.toLowerCase())
  if (at === -1) return line.slice(0, 2 * AROUND)
  const start = Math.max(0, at - AROUND)
  const end = at + text.length
  return html`${start > 0 ? '… ' : ''}${line.slice(start, at)}<mark>${line.slice(at, end)}</mark>${line.slice(end, end + AROUND)}${line.length > end + AROUND ? ' …' : ''}`
}
