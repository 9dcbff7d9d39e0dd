import { html } from 'hono/html'

import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { ListedDraft } from '../../operations/edit/drafts.ts'
import type { Html } from '../ui/html.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

/** Texts that the viewer has changed in the editor and not committed. */
export function draftList(drafts: readonly ListedDraft[]): Html {
  return html`<section class="activity" aria-labelledby="drafts">
    <h2 id="drafts">Drafts</h2>
    <ul>
      ${drafts.map(({ draft, repository }) => {
        const href = `${repositoryPath(repository)}/edit/${encodePath(draft.branch)}/${encodePath(draft.path)}`
        return html`<li>
          <p><a href="${href}">${draft.path}</a></p>
          <p class="what">
            ${repository.owner.login}/${repository.name} <span class="ref">${draft.branch}</span>
            ${timeAgo(draft.updatedAt)}
          </p>
        </li>`
      })}
    </ul>
  </section>`
}
