import { html } from 'hono/html'

import type { BuildRecord, CommitProblem } from '../../../domain/build.ts'
import type { Repository } from '../../../domain/types.ts'
import { buildPath } from '../../../domain/page-urls.ts'
import { directionCharacters } from '../../../domain/text/direction-characters.ts'
import type { Html } from '../html.ts'
import { symbol } from '../symbol.ts'
import { explanationLink, remedyText } from './problem-text.ts'

/** Documents named in a note; the others are counted. */
const MAX_NAMED = 3

/** Context of a note. */
export interface NotePlace {
  readonly repository: Repository
  /** Number of documents of the commit: with several, a note names those that reported the problem. */
  readonly documentCount: number
}

/** A problem below its line. `editHref` = the line in the editor. */
export function marginNote(problem: CommitProblem, place: NotePlace, editHref: string | null = null): Html {
  const { type, summary } = problem
  // TeX repeats what it does not support.
  const message = problem.message.replaceAll(directionCharacters, '')
  return html`<p class="note note-${type}" role="note">
    <span class="sign" aria-hidden="true">${symbol(type === 'error' ? '✕' : '⚠')}</span>
    ${
      summary === undefined
        ? html`${message} ${remedyText(problem)}`
        : html`${summary} ${remedyText(problem)} <span class="tex-words">(TeX: ${message})</span>`
    }
    ${editHref === null ? '' : html`<a class="edit-line" href="${editHref}">Edit this line</a>`}
    ${explanationLink(problem)} ${buildLinks(problem.builds, place)}
  </p>`
}

/** The builds that reported a problem: by number, or by document if the commit has several. */
function buildLinks(builds: readonly BuildRecord[], { repository, documentCount }: NotePlace): Html {
  const links = builds.slice(0, MAX_NAMED).map(({ number, document }, at) => {
    const name = documentCount > 1 ? document : `build ${number}`
    return html`${at === 0 ? '' : ', '}<a href="${buildPath(repository, number)}">${name}</a>`
  })
  const rest = builds.length - MAX_NAMED
  return html`<span class="reported-by">${links}${rest > 0 ? ` and ${rest} more` : ''}</span>`
}
