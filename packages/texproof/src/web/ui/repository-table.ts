import { html } from 'hono/html'

import type { Repository } from '../../domain/types.ts'
import { pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from './html.ts'
import { icon } from './icon.ts'
import { paperThumbnail } from './document/paper-thumbnail.ts'
import { papersStatus, statusDot } from './document/document-status.ts'
import { keepCounts } from './format/keep-counts.ts'
import { timeAgo } from './format/time-ago.ts'

/** A repository as a list shows it. */
export interface ListedPaper {
  readonly repository: Repository
  /** `unreadable` = the files of the repository are missing on disk. */
  readonly state: 'empty' | 'filled' | 'unreadable'
  /** Status of the default branch; null if it was never built. */
  readonly paper: Paper | null
}

/** Repositories as a table, each with the first page and the status of its default branch. */
export function repositoryTable(listed: readonly ListedPaper[], options: { readonly isOwnerShown: boolean }): Html {
  return html`<table class="repositories">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">First page</th>
        <th scope="col">Repository</th>
        <th scope="col">Status</th>
        <th scope="col">Length</th>
        <th scope="col">Updated</th>
      </tr>
    </thead>
    <tbody>
      ${listed.map((item) => repositoryRow(item, options))}
    </tbody>
  </table>`
}

function repositoryRow(
  { repository, state, paper }: ListedPaper,
  { isOwnerShown }: { readonly isOwnerShown: boolean },
): Html {
  const { owner, name, description, visibility, isArchived, isDisabled, updatedAt } = repository
  return html`<tr>
    <td class="small-sheet">${smallSheet(repository, paper)}</td>
    <th scope="row">
      <a href="${repositoryPath(repository)}" data-row
        >${isOwnerShown ? html`<span class="owner">${owner.login} / </span>` : ''}${name}</a
      >
      ${visibility === 'private' ? html`<span class="lock">${icon('lock')}<span class="visually-hidden">private</span></span>` : ''}
      ${isArchived ? html`<span class="label">archived</span>` : ''}
      ${isDisabled ? html`<span class="label">disabled</span>` : ''}
      ${description === null ? '' : html`<p class="description">${description}</p>`}
    </th>
    <td>${describeState(state, paper)}</td>
    <td class="quiet numeric">${paper === null ? '' : describeLength(paper)}</td>
    <td class="quiet numeric">${timeAgo(updatedAt)}</td>
  </tr>`
}

function smallSheet(repository: Repository, paper: Paper | null): Html {
  const cover = paper?.cover ?? null
  if (paper === null || cover === null) return html`<span class="sheet sheet-blank" aria-hidden="true"></span>`
  const refName = repository.defaultBranch
  const document = cover.document === paper.document ? null : cover.document
  return html`<a class="sheet" href="${pdfPath(repository, refName, document)}"
    >${paperThumbnail({ repository, refName, document, build: cover })}</a
  >`
}

function describeState(state: ListedPaper['state'], paper: Paper | null): Html | '' {
  if (state === 'unreadable')
    return html`<span class="proof-failed">unavailable: the repository cannot be read. Ask the administrator.</span>`
  if (state === 'empty') return html`<span class="quiet">empty</span>`
  return paper === null ? '' : statusDot(papersStatus(paper))
}

function describeLength({ documents, shown }: Paper): string {
  if (documents.length > 1) return keepCounts(countOf(documents.length, 'document'))
  const pages = shown?.build.pageCount ?? null
  return pages === null ? '' : keepCounts(countOf(pages, 'page'))
}
