import { html, raw } from 'hono/html'

import type { BuildProblem } from '../../domain/build.ts'
import type { Html } from './html.ts'
import { marginNote } from './margin-note.ts'

const MAX_SHOWN_LINES = 8_000

/** A source as it is shown. */
export interface ShownSource {
  /** Each line as safe HTML. */
  readonly lines: readonly string[]
  readonly notes: readonly BuildProblem[]
  /** Where the notes are told in full. */
  readonly build: { readonly href: string; readonly number: number } | null
  /** Where a line is edited; null = nowhere, or not by who looks. */
  readonly editHref: ((line: number) => string) | null
}

/**
 * Lines with their numbers, which are links, and the corrector's notes under them. A row of this table stands thousands
 * of times on a page, so it is written as short as it can be.
 */
export function codeTable({ lines, notes, build, editHref }: ShownSource): Html {
  const byLine = Map.groupBy(notes, ({ line }) => Math.min(line ?? 1, lines.length))
  const parts: Html[] = []
  let plain = ''
  for (const [at, line] of lines.slice(0, MAX_SHOWN_LINES).entries()) {
    const number = at + 1
    const here = byLine.get(number)
    if (here === undefined) {
      // HTML lets the ends of rows and cells go unsaid.
      plain += `<tr id=L${number}><td><a href=#L${number}>${number}</a><td><code>${line === '' ? '\n' : line}</code>`
      continue
    }
    parts.push(
      html`${raw(plain)}`,
      markedRow(number, { line, notes: here, build, editHref: editHref?.(number) ?? null }),
    )
    plain = ''
  }
  return html`<table class="code source">
      <tbody>
        ${parts} ${raw(plain)}
      </tbody>
    </table>
    ${lines.length > MAX_SHOWN_LINES ? html`<p class="quiet">${lines.length - MAX_SHOWN_LINES} more lines; open the file raw to see them.</p>` : ''}`
}

interface MarkedLine extends Pick<ShownSource, 'notes' | 'build'> {
  readonly line: string
  readonly editHref: string | null
}

function markedRow(number: number, { line, notes, build, editHref }: MarkedLine): Html {
  const errors = notes.filter(({ type }) => type === 'error').length
  const counts = [tell(errors, 'error'), tell(notes.length - errors, 'warning')].filter((count) => count !== '')
  return html`<tr id="L${number}" class="marked marked-${errors > 0 ? 'error' : 'warning'}">
    <td><a href="#L${number}" aria-label="Line ${number}, ${counts.join(', ')}">${number}</a></td>
    <td><code>${raw(line === '' ? '\n' : line)}</code>${notes.map((note) => marginNote(note, build, editHref))}</td>
  </tr>`
}

function tell(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
