import { html } from 'hono/html'

import type { BuildProblem } from '../../../domain/build.ts'
import { explanationLink } from './explanation-link.ts'
import type { Html } from '../html.ts'
import { remedyText } from './remedy-text.ts'

/**
 * Set like a corrector's note: under the line, in the red of the pencil. `build` = where the whole of it is told,
 * `editHref` = where whoever may mends the line.
 */
export function marginNote(
  problem: BuildProblem,
  build: { readonly href: string; readonly number: number } | null,
  editHref: string | null = null,
): Html {
  const { type, message, summary } = problem
  return html`<p class="note note-${type}" role="note">
    <span class="sign" aria-hidden="true">${type === 'error' ? '✕' : '⚠'}</span>
    ${
      summary === undefined
        ? html`${message} ${remedyText(problem)}`
        : html`${summary} ${remedyText(problem)} <span class="tex-words">(TeX: ${message})</span>`
    }
    ${editHref === null ? '' : html`<a class="edit-line" href="${editHref}">Edit this line</a>`}
    ${explanationLink(problem)} ${build === null ? '' : html`<a href="${build.href}">build ${build.number}</a>`}
  </p>`
}
