/** The problems above the text of the editor. */
import { html } from 'hono/html'

import type { CommitProblem } from '../../../domain/build.ts'
import { countOf } from '../../../papers/push/describe-push.ts'
import type { Html } from '../../ui/html.ts'
import { marginNote } from '../../ui/problem/margin-note.ts'
import type { NotePlace } from '../../ui/problem/margin-note.ts'

/** Problems listed if no line was requested. */
const MAX_LISTED = 5

/** The problems on the edited line, or on the first lines with errors. */
export function notesAbove(
  problems: readonly CommitProblem[],
  { text, line: requested }: { readonly text: string; readonly line: number | null },
  place: NotePlace,
): Html | '' {
  const found = problems.filter(({ line, type }) => (requested === null ? type === 'error' : line === requested))
  if (found.length === 0) return ''
  const listed = found.slice(0, MAX_LISTED)
  const count = countOf(found.length, requested === null ? 'error' : 'problem')
  const lines = text.split('\n')
  return html`<details class="notes-above" open>
    <summary>${listed.length < found.length ? `First ${listed.length} of ${count}` : count}</summary>
    ${listed.map(
      (problem) =>
        html`<div class="note-above">
          ${problem.line === null ? '' : html`<p class="note-line"><span class="quiet">${problem.line}</span> <code>${lines[problem.line - 1] ?? ''}</code></p>`}
          ${marginNote(problem, place)}
        </div>`,
    )}
  </details>`
}
