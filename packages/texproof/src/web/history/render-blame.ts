import { html, raw } from 'hono/html'

import type { Html } from '../ui/html.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { parseBlame, type BlamedLine } from '../../git/history/parse-blame.ts'
import { encodePath } from '../../domain/page-urls.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { decodeLines } from '../content/decode-text.ts'
import type { Language } from '../content/source/find-language.ts'
import { renderSourcePart } from '../content/source/source-part.ts'

/** Lines shown. */
const MAX_SHOWN_LINES = 5_000

/** Output of git for the lines of a file. */
export interface BlameSource {
  /** Output of `git blame --porcelain`. */
  readonly bytes: Uint8Array
  /** null = not highlighted. */
  readonly language: Language | null
  /** Path of the repository's pages. */
  readonly home: string
}

/** The authors of lines as an HTML table; null for a file without lines. Runs on a thread. */
export async function renderBlame({ bytes, language, home }: BlameSource): Promise<string | null> {
  const lines = parseBlame(decodeLines(bytes))
  if (lines.length === 0) return null
  const source = Buffer.from(lines.map(({ text }) => text).join('\n'))
  const shown = (await renderSourcePart({ bytes: source, language, from: 1 })).lines
  let at = 0
  const groups = groupByCommit(lines.slice(0, MAX_SHOWN_LINES)).map((group) => {
    const start = at
    at += group.count
    const [first = '', ...others] = shown.slice(start, at).map((line, index) => lineCells(start + index + 1, line))
    const rest = others.map((cells, index) => `<tr id=L${start + index + 2}>${cells}`).join('')
    return html`<tbody>
      <tr id="L${start + 1}">
        ${originCell(group.origin, { home, rowSpan: group.count })} ${raw(first + rest)}
      </tr>
    </tbody>`
  })
  return String(
    await html`<div class="scroll" tabindex="0" role="region" aria-label="Blame">
        <table class="code source blame">
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Commit</th>
              <th scope="col">Line</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          ${groups}
        </table>
      </div>
      ${lines.length > MAX_SHOWN_LINES ? html`<p class="quiet">${lines.length - MAX_SHOWN_LINES} more ${lines.length - MAX_SHOWN_LINES === 1 ? 'line' : 'lines'}.</p>` : ''}`,
  )
}

/** Cells as text without optional end tags, because they occur thousands of times on a page. */
function lineCells(number: number, line: string): string {
  return `<td><a href=#L${number}>${number}</a><td><code>${line === '' ? '\n' : line}</code>`
}

function originCell(
  { commitId, author, at, subject, previous }: BlamedLine,
  { home, rowSpan }: { readonly home: string; readonly rowSpan: number },
): Html {
  return html`<th scope="rowgroup" rowspan="${rowSpan}">
    <a href="${home}/commit/${commitId}" title="${commitId.slice(0, 7)} by ${author}: ${commitSubject(subject)}"
      >${commitSubject(subject)}</a
    >
    <span class="quiet"
      >${author}, ${timeAgo(at)}${previous === null ? '' : ' · '}
      ${
        previous === null
          ? ''
          : html`<a
              href="${home}/blame/${previous.commitId}/${encodePath(previous.path)}"
              aria-label="Previous version, before ${commitId.slice(0, 7)}"
              >Previous version</a
            >`
      }</span
    >
  </th>`
}

/** Groups consecutive lines of one commit. */
function groupByCommit(
  lines: readonly BlamedLine[],
): readonly { readonly origin: BlamedLine; readonly count: number }[] {
  const groups: { origin: BlamedLine; count: number }[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.origin.commitId === line.commitId) last.count += 1
    else groups.push({ origin: line, count: 1 })
  }
  return groups
}
