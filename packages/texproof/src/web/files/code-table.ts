import { html, raw } from 'hono/html'

import type { BuildProblem, CommitProblem } from '../../domain/build.ts'
import { linesPerPart, type SourcePart } from '../content/source/source-part.ts'
import { buildPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Html } from '../ui/html.ts'
import { marginNote } from '../ui/problem/margin-note.ts'
import type { NotePlace } from '../ui/problem/margin-note.ts'
import { linesHref, type NotesShown } from './notes-bar.ts'

/** The source shown. */
export interface ShownSource {
  readonly part: SourcePart
  readonly notes: readonly CommitProblem[]
  /** The choice that led to these notes. */
  readonly notesShown: NotesShown
  readonly place: NotePlace
  /** Where a line can be edited; null = nowhere, or not by this viewer. */
  readonly editHref: ((line: number) => string) | null
}

/** Notes on one page: each is drawn from several templates for every request. */
const MAX_NOTES = 500

/** Lines with linked numbers, and the problems below them. */
export function codeTable(source: ShownSource): Html {
  const notes = notesOfPart(source)
  const shown = notes.slice(0, MAX_NOTES)
  return html`${omittedNotes(notes.slice(MAX_NOTES), source)}
    <table class="code source">
      <tbody>
        ${shown.length === 0 ? raw(rowsWithoutNotes(source.part)) : rowsWithNotes({ ...source, notes: shown })}
      </tbody>
    </table>
    ${otherParts(source)}`
}

/** The notes on the lines shown, errors first. */
function notesOfPart({ part, notes }: ShownSource): readonly CommitProblem[] {
  const end = part.from + part.lines.length
  return errorsFirst(notes.filter((note) => lineOf(note, part) >= part.from && lineOf(note, part) < end))
}

function lineOf({ line }: CommitProblem, { total }: SourcePart): number {
  return Math.min(line ?? 1, total)
}

function errorsFirst(notes: readonly CommitProblem[]): readonly CommitProblem[] {
  return notes.toSorted((a, b) => Number(b.type === 'error') - Number(a.type === 'error'))
}

function omittedNotes(notes: readonly CommitProblem[], { place }: ShownSource): Html | '' {
  const build = notes[0]?.builds[0]
  if (build === undefined) return ''
  return html`<p class="quiet">
    ${countOf(notes.length, 'more note is', 'more notes are')} in
    <a href="${buildPath(place.repository, build.number)}">the log</a>.
  </p>`
}

/** Rows of parts without problems: thousands, the same for every request. They live as long as the cached part. */
const rowsOf = new WeakMap<SourcePart, string>()

function rowsWithoutNotes(part: SourcePart): string {
  const known = rowsOf.get(part)
  if (known !== undefined) return known
  const rows = part.lines.map((line, at) => plainRow(part.from + at, line)).join('')
  rowsOf.set(part, rows)
  return rows
}

function rowsWithNotes({ part, notes, place, editHref }: ShownSource): readonly Html[] {
  const byLine = Map.groupBy(notes, (note) => lineOf(note, part))
  const rows: Html[] = []
  let plain = ''
  for (const [at, line] of part.lines.entries()) {
    const number = part.from + at
    const here = byLine.get(number)
    if (here === undefined) {
      plain += plainRow(number, line)
      continue
    }
    rows.push(raw(plain), markedRow(number, { line, notes: here, place, editHref: editHref?.(number) ?? null }))
    plain = ''
  }
  return [...rows, raw(plain)]
}

/** Row without optional end tags, because it occurs thousands of times on a page. */
function plainRow(number: number, line: string): string {
  return `<tr id=L${number}><td><a href=#L${number}>${number}</a><td><code>${line === '' ? '\n' : line}</code>`
}

/** Links to the lines before and after, in a file with too many for one page. */
function otherParts({ part: { from, lines, total }, notesShown }: ShownSource): Html | '' {
  if (total <= linesPerPart) return ''
  const href = (line: number): string => linesHref({ isSource: true, from: line, notesShown })
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
  const [first, ...others] = errorsFirst(notes)
  const errors = notes.filter(({ type }) => type === 'error').length
  const counts = [formatCount(errors, 'error'), formatCount(notes.length - errors, 'warning')].filter(
    (count) => count !== '',
  )
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
  if (column === null || column < 1) return ''
  const text = line
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&\w+;|&#\w+;/g, ' ')
    .slice(0, MAX_CARET_COLUMN)
  if (column > text.length + 1) return ''
  return html`<code class="column" aria-hidden="true"
    >${raw(text.slice(0, column - 1).replaceAll(/[^\t]/g, ' '))}^</code
  >`
}

function formatCount(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
