import { html, raw } from 'hono/html'

import type { CommitProblem } from '../../domain/build.ts'
import { linesPerPart, type SourcePart } from '../content/source/source-part.ts'
import type { BuildProblem } from '../../domain/build.ts'
import type { Html } from '../ui/html.ts'
import { marginNote } from '../ui/problem/margin-note.ts'
import type { NotePlace } from '../ui/problem/margin-note.ts'

/** The source shown. */
export interface ShownSource {
  readonly part: SourcePart
  readonly notes: readonly CommitProblem[]
  readonly place: NotePlace
  /** Where a line can be edited; null = nowhere, or not by this viewer. */
  readonly editHref: ((line: number) => string) | null
}

/**
 * Lines with linked numbers, and the problems below them. Rows occur thousands of times on a page, so their markup is
 * as short as possible.
 */
export function codeTable({ part, notes, place, editHref }: ShownSource): Html {
  const { from, lines, total } = part
  const byLine = Map.groupBy(notes, ({ line }) => Math.min(line ?? 1, total))
  const parts: Html[] = []
  let plain = ''
  for (const [at, line] of lines.entries()) {
    const number = from + at
    const here = byLine.get(number)
    if (here === undefined) {
      // End tags of rows and cells are optional in HTML.
      plain += `<tr id=L${number}><td><a href=#L${number}>${number}</a><td><code>${line === '' ? '\n' : line}</code>`
      continue
    }
    parts.push(
      html`${raw(plain)}`,
      markedRow(number, { line, notes: here, place, editHref: editHref?.(number) ?? null }),
    )
    plain = ''
  }
  return html`<table class="code source">
      <tbody>
        ${parts} ${raw(plain)}
      </tbody>
    </table>
    ${otherParts(part)}`
}

/** Links to the lines before and after, in a file with too many for one page. */
function otherParts({ from, lines, total }: SourcePart): Html | '' {
  if (total <= linesPerPart) return ''
  const href = (line: number): string => `?view=source&from=${line}`
  return html`<nav class="pages" aria-label="Parts of the file">
    ${from > 1 ? html`<a href="${href(Math.max(1, from - linesPerPart))}" rel="prev">Previous lines</a>` : ''}
    <span class="quiet">Lines ${from} to ${from + lines.length - 1} of ${total}</span>
    ${from + lines.length <= total ? html`<a href="${href(from + lines.length)}" rel="next">Next lines</a>` : ''}
  </nav>`
}

/** A caret further right would be outside most windows. */
const MAX_CARET_COLUMN = 200

interface MarkedLine extends Pick<ShownSource, 'notes' | 'place'> {
  readonly line: string
  readonly editHref: string | null
}

/** The first note in full, with a caret below its column; the others folded. */
function markedRow(number: number, { line, notes, place, editHref }: MarkedLine): Html {
  const [first, ...others] = notes.toSorted((a, b) => Number(b.type === 'error') - Number(a.type === 'error'))
  const errors = notes.filter(({ type }) => type === 'error').length
  const counts = [tell(errors, 'error'), tell(notes.length - errors, 'warning')].filter((count) => count !== '')
  return html`<tr id="L${number}" class="marked marked-${errors > 0 ? 'error' : 'warning'}">
    <td><a href="#L${number}" aria-label="Line ${number}, ${counts.join(', ')}">${number}</a></td>
    <td>
      <code>${raw(line === '' ? '\n' : line)}</code
      >${caretLine(line, first)}${first === undefined ? '' : marginNote(first, place, editHref)}${
        others.length === 0
          ? ''
          : html`<details class="more-notes">
              <summary>${others.length} more on this line</summary>
              ${others.map((note) => marginNote(note, place, editHref))}
            </details>`
      }
    </td>
  </tr>`
}

/** Blanks up to the column, tabs kept, so that the caret is aligned for every tab width. */
function caretLine(line: string, note: BuildProblem | undefined): Html | '' {
  const column = note?.type === 'error' ? (note.column ?? null) : null
  const text = line
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&\w+;|&#\w+;/g, ' ')
    .slice(0, MAX_CARET_COLUMN)
  if (column === null || column < 1 || column > text.length + 1) return ''
  return html`<code class="column" aria-hidden="true"
    >${raw(text.slice(0, column - 1).replaceAll(/[^\t]/g, ' '))}^</code
  >`
}

function tell(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
