import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import type { Repository } from '../../../domain/types.ts'
import { pdfPath, repositoryPath } from '../../../domain/page-urls.ts'
import { findListedPaper } from '../../shell/repository/find-listed-paper.ts'
import { findTitle } from '../../content/find-title.ts'
import type { Html } from '../html.ts'
import { paperThumbnail } from './paper-thumbnail.ts'
import { papersState, proofDot } from './proof-state.ts'
import { timeAgo } from '../format/time-ago.ts'

/** Papers laid out as sheets on a table: first page, title, whose it is and how old. */
export async function paperGallery(
  repositories: readonly Repository[],
  deps: Pick<Deps, 'git' | 'parsers' | 'papers' | 'log'>,
): Promise<Html> {
  const sheets = await Promise.all(repositories.map((repository) => gallerySheet(repository, deps)))
  return html`<ul class="gallery">
    ${sheets}
  </ul>`
}

async function gallerySheet(
  repository: Repository,
  deps: Pick<Deps, 'git' | 'parsers' | 'papers' | 'log'>,
): Promise<Html> {
  const { owner, name, defaultBranch, description, updatedAt } = repository
  const { paper } = await findListedPaper(deps, repository)
  const build = paper?.shown?.build ?? null
  const title = build === null ? null : await findTitle(deps, repository, build)
  const picture =
    build === null
      ? html`<span class="sheet sheet-blank" aria-hidden="true"></span>`
      : html`<a class="sheet" href="${pdfPath(repository, defaultBranch, null)}"
          >${paperThumbnail({ repository, refName: defaultBranch, document: null, build })}</a
        >`
  return html`<li>
    ${picture}
    <p class="title"><a href="${repositoryPath(repository)}">${title ?? description ?? name}</a></p>
    <p class="quiet">${owner.login} / ${name}</p>
    <p class="quiet standing">${paper === null ? '' : proofDot(papersState(paper))} ${timeAgo(updatedAt)}</p>
  </li>`
}
