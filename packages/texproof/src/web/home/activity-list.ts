import { html } from 'hono/html'

import { encodePath, repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import type { Activity } from './find-activity.ts'
import type { Html } from '../ui/html.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

/** Recent pushes of other users. */
export function activityList(items: readonly Activity[]): Html {
  return html`<section class="activity" aria-labelledby="activity">
    <h2 id="activity">Recent activity</h2>
    <ul>
      ${items.map((item) => html`<li>${describe(item)}</li>`)}
    </ul>
  </section>`
}

function describe({ repository, push, subject }: Activity): Html {
  const { login, ref, oldCommitId, newCommitId, createdAt } = push
  const path = repositoryPath(repository)
  const name = shortRefName(ref)
  const action = newCommitId === null ? 'deleted' : oldCommitId === null ? 'created' : 'pushed to'
  const place = html`${repository.owner.login}/${repository.name} <span class="ref">${name}</span>`
  return html`<p>
      <a href="/${login}">${login}</a> ${action}
      ${newCommitId === null ? place : html`<a href="${path}/commits/${encodePath(name)}">${place}</a>`}
    </p>
    <p class="what">${subject === null ? '' : html`<span class="subject">${subject}</span>`} ${timeAgo(createdAt)}</p>`
}
