import { html } from 'hono/html'

import type { Repository } from '../../../domain/types.ts'
import type { MirrorState } from '../../../store/repositories/mirrors.ts'
import { breakable } from '../../ui/breakable.ts'
import { timeAgo } from '../../ui/format/time-ago.ts'
import { timeUntil } from '../../ui/format/time-until.ts'
import type { Html } from '../../ui/html.ts'

const SHOWN_REFS = 5

type Paused = Pick<Repository, 'isArchived' | 'isDisabled'>

/** Whether a mirror is never fetched while its repository remains as it is. */
export function isPaused({ isArchived, isDisabled }: Paused): boolean {
  return isArchived || isDisabled
}

/** Whether a mirror waits for its fetch, or is fetched. A fetch without an outcome is due again, unless it is paused. */
export function isWaiting(repository: Paused, { isFetching, dueAt }: MirrorState): boolean {
  return dueAt <= Date.now() ? !isPaused(repository) : isFetching
}

/** One line below the name of a mirror. */
export function mirrorLine(url: string, { fetchedAt, problem }: MirrorState): Html {
  return html`<p class="quiet">
      Mirror of <a href="${url}" rel="nofollow noreferrer">${breakable(url)}</a>, fetched ${timeAgo(fetchedAt)}. It is
      read-only.
    </p>
    ${problem === null ? '' : html`<p class="notice">The last fetch failed: ${problem}</p>`}`
}

/** The last fetch, the next one, a failure and a rewritten source. */
export function describeFetches(
  repository: Paused,
  { fetchedAt, problem, failureCount, dueAt, rewritten }: MirrorState,
): Html {
  return html`${
    problem === null
      ? html`<p>Fetched ${timeAgo(fetchedAt)}.</p>`
      : html`<p class="banner banner-failed" role="status">
            ✕ ${failureCount === 1 ? 'The last fetch' : `The last ${failureCount} fetches`} failed. ${problem}
          </p>
          <p>Last successful fetch: ${timeAgo(fetchedAt)}. The repository has not changed since then.</p>`
  }
  ${
    isPaused(repository)
      ? html`<p>It is not fetched while the repository is ${repository.isDisabled ? 'disabled' : 'archived'}.</p>`
      : html`<p>Next fetch: ${timeUntil(dueAt)}.</p>`
  }
  ${
    rewritten === null
      ? ''
      : html`<p class="notice">
          The history of ${listNames(rewritten.refs)} was rewritten in the source ${timeAgo(rewritten.at)}: earlier
          commits are no longer part of it.
        </p>`
  }`
}

function listNames(names: readonly string[]): Html {
  const shown = names.slice(0, SHOWN_REFS).map((name) => html`<code>${name}</code>`)
  const rest = names.length - shown.length
  return html`${shown.map((name, index) => (index === 0 ? name : html`, ${name}`))}${rest === 0 ? '' : ` and ${rest} more`}`
}
