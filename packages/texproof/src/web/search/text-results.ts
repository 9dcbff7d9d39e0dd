import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import type { FoundText } from '../../git/history/search-text.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from '../ui/html.ts'
import { isCaseSensitive } from './find-text.ts'
import { foundLines } from './found-lines.ts'

/** Lines shown of each repository. */
const LINES_EACH = 5

/** The lines of a repository's default branch that contain a text. */
export interface RepositoryText extends FoundText {
  readonly repository: Repository
}

/** The lines by repository. A repository whose search was stopped before it found one is named: it may contain the text. */
export function textResults(searched: readonly RepositoryText[], text: string): Html {
  const found = searched.filter(({ lines }) => lines.length > 0)
  const stopped = searched.filter(({ lines, isWhole }) => lines.length === 0 && !isWhole)
  if (found.length === 0 && stopped.length === 0) return html`<p class="quiet">No file contains "${text}".</p>`
  return html`${found.map((each) => repositoryLines(each, text))}
  ${stopped.length === 0 ? '' : stoppedSearches(stopped, text)}`
}

function repositoryLines({ repository, lines, isWhole }: RepositoryText, text: string): Html {
  const refName = repository.defaultBranch
  return html`<section class="found-repository">
    <h2>
      <a href="${repositoryPath(repository)}">${nameOf(repository)}</a>
      <a class="quiet" href="${searchPath(repository, text)}"
        >${isWhole ? '' : 'at least '}${lines.length} ${lines.length === 1 ? 'line' : 'lines'}</a
      >
    </h2>
    ${foundLines(lines.slice(0, LINES_EACH), { repository, refName, text, isCaseSensitive: isCaseSensitive(text) })}
  </section>`
}

function stoppedSearches(stopped: readonly RepositoryText[], text: string): Html {
  const names = stopped.map(
    ({ repository }, at) =>
      html`${at === 0 ? '' : ', '}<a href="${searchPath(repository, text)}">${nameOf(repository)}</a>`,
  )
  return html`<p class="quiet">The search did not finish in ${names}. Try a longer text.</p>`
}

function searchPath(repository: Repository, text: string): string {
  return `${repositoryPath(repository)}/search?q=${encodeURIComponent(text)}`
}

function nameOf({ owner, name }: Repository): string {
  return `${owner.login}/${name}`
}
