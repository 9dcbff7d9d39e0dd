import { html } from 'hono/html'

import type { BuildProblem } from '../../domain/build.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Html } from '../ui/html.ts'
import { isBoxWarning } from '../ui/problem/problem-list.ts'

/** Which problems of a build are shown on the lines of a file; overfull and underfull lines are hidden by default. */
export type NotesShown = 'usual' | 'all' | 'errors' | 'none'

/** Parameters in the address of a page with lines. */
export interface LinesView {
  /** The source is requested, even if the file can be rendered. */
  readonly isSource: boolean
  /** The first line shown, from 1. */
  readonly from: number
  readonly notesShown: NotesShown
}

/** The address of a view of the same file, relative to its page. */
export function linesHref({ isSource, from, notesShown }: LinesView): string {
  const query = new URLSearchParams({
    ...(isSource ? { view: 'source' } : {}),
    ...(from === 1 ? {} : { from: String(from) }),
    ...(notesShown === 'usual' ? {} : { notes: notesShown }),
  })
  return `?${query}`
}

/** Reads the choice from the query of an address. */
export function readNotesShown(text: string | undefined): NotesShown {
  return text === 'all' || text === 'errors' || text === 'none' ? text : 'usual'
}

/** The notes of a choice. */
export function chooseNotes<Note extends BuildProblem>(notes: readonly Note[], shown: NotesShown): readonly Note[] {
  if (shown === 'none') return []
  if (shown === 'all') return notes
  if (shown === 'errors') return notes.filter(({ type }) => type === 'error')
  return notes.filter((note) => !isBoxWarning(note))
}

/** The number of notes, and links to show more or fewer; empty without notes. */
export function notesBar(notes: readonly BuildProblem[], view: LinesView): Html | '' {
  if (notes.length === 0) return ''
  const errors = notes.filter(({ type }) => type === 'error').length
  const boxes = notes.filter(isBoxWarning).length
  const warnings = notes.length - errors - boxes
  const counts = [
    errors === 0 ? null : countOf(errors, 'error'),
    warnings === 0 ? null : countOf(warnings, 'warning'),
    boxes === 0 ? null : countOf(boxes, 'overfull or underfull box', 'overfull or underfull boxes'),
  ]
  const ways: readonly (readonly [NotesShown, string, boolean])[] = [
    ['errors', 'Errors', errors > 0],
    ['usual', 'Warnings', warnings > 0],
    ['all', 'All', boxes > 0],
    ['none', 'None', true],
  ]
  const shown = view.notesShown
  const current = shown === 'usual' && warnings === 0 ? (errors > 0 ? 'errors' : 'none') : shown
  return html`<p class="notes-bar">
    <span class="quiet">${counts.filter((count) => count !== null).join(', ')}.</span>
    <span>Show:</span>
    ${ways.map(([choice, label, hasAny]) => {
      if (!hasAny) return ''
      const href = linesHref({ ...view, notesShown: choice })
      return html`<a href="${href}" ${choice === current ? html`aria-current="true"` : ''}>${label}</a>`
    })}
  </p>`
}
