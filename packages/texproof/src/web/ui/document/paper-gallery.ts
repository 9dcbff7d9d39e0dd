import { html } from 'hono/html'

import type { Repository } from '../../../domain/types.ts'
import { pdfPath, repositoryPath } from '../../../domain/page-urls.ts'
import type { Paper } from '../../../papers/types.ts'
import type { Html } from '../html.ts'
import { paperThumbnail } from './paper-thumbnail.ts'
import { papersStatus, statusDot } from './document-status.ts'
import { timeAgo } from '../format/time-ago.ts'

/** A repository with the paper on its default branch. */
export interface GalleryPaper {
  readonly repository: Repository
  /** null = never built. */
  readonly paper: Paper | null
  /** Null if the source does not state it as plain text. */
  readonly title: string | null
}

/** Papers as sheets: first page, title, owner and age. */
export function paperGallery(papers: readonly GalleryPaper[]): Html {
  return html`<ul class="gallery">
    ${papers.map(gallerySheet)}
  </ul>`
}

function gallerySheet({ repository, paper, title }: GalleryPaper): Html {
  const { owner, name, defaultBranch, description, updatedAt } = repository
  const build = paper?.cover ?? null
  const document = build === null || build.document === paper?.document ? null : build.document
  const picture =
    build === null
      ? html`<span class="sheet sheet-blank" aria-hidden="true"></span>`
      : html`<a class="sheet" href="${pdfPath(repository, defaultBranch, document)}"
          >${paperThumbnail({ repository, refName: defaultBranch, document, build })}</a
        >`
  return html`<li>
    ${picture}
    <p class="title"><a href="${repositoryPath(repository)}">${title ?? description ?? name}</a></p>
    <p class="quiet">${owner.login} / ${name}</p>
    <p class="quiet status">${paper === null ? '' : statusDot(papersStatus(paper))} ${timeAgo(updatedAt)}</p>
  </li>`
}
