import { html, raw } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { formatDate } from '../ui/format/format-date.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { escapeHtml } from '../content/escape-html.ts'
import type { Html } from '../ui/html.ts'
import { documentsStatus, statusDot } from '../ui/document/document-status.ts'
import type { DocumentStatus } from '../ui/document/document-status.ts'
import { createRowCache, newestOf } from '../ui/row-cache.ts'
import { timeElement } from '../ui/format/time-ago.ts'

const cachedRows = createRowCache()

/** Commits grouped by day, each with the status of its paper. */
export async function commitTable(
  commits: readonly Commit[],
  { store }: Pick<Deps, 'store'>,
  repository: Repository,
  /** Links to this file at each commit; '' = no link. */
  path = '',
): Promise<Html> {
  const ids = commits.map(({ commitId }) => commitId)
  const summaries = await store.builds.summarize(repository.id, ids)
  const rows = await cachedRows([repositoryPath(repository), path, ids, summaries], () => {
    const byCommit = Map.groupBy(summaries, ({ commitId }) => commitId)
    const statusOf = ({ commitId }: Commit): DocumentStatus => documentsStatus(byCommit.get(commitId) ?? [])
    return { rows: drawRows(commits, { repository, path, statusOf }), newestAt: newestOf(commits) }
  })
  return html`<table class="commits">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">Commit</th>
        <th scope="col">Author</th>
        <th scope="col">When</th>
        ${path === '' ? '' : html`<th scope="col">File</th>`}
        <th scope="col">PDF</th>
      </tr>
    </thead>
    ${raw(rows)}
  </table>`
}

interface RowPlace {
  readonly repository: Repository
  readonly path: string
  readonly statusOf: (commit: Commit) => DocumentStatus
}

function drawRows(commits: readonly Commit[], place: RowPlace): string {
  const days = Map.groupBy(commits, ({ committer }) => formatDate(committer.at))
  return [...days]
    .map(([day, ofDay]) => dayRow(day, place.path) + ofDay.map((commit) => commitRow(commit, place)).join(''))
    .join('')
}

function dayRow(day: string, path: string): string {
  return `<tbody><tr class="day"><th scope="rowgroup" colspan="${path === '' ? 4 : 5}">${day}`
}

/** Rows occur fifty times on a page, so they are built as text, without optional end tags. */
function commitRow(commit: Commit, { repository, path, statusOf }: RowPlace): string {
  const { commitId, message, author, committer } = commit
  const status = statusOf(commit)
  const home = repositoryPath(repository)
  const id = commitId.slice(0, 7)
  const file = `<td><a href="${home}/blob/${commitId}/${encodePath(path)}" aria-label="File at ${id}">File</a>`
  const pdf = `<a href="${pdfPath(repository, commitId, null)}" aria-label="PDF at ${id}, ${status.text}">${status.text}</a>`
  const cells = [
    `<th scope="row"><a href="${home}/commit/${commitId}" data-row><code>${id}</code> ${escapeHtml(commitSubject(message))}</a>`,
    `<td>${escapeHtml(author.name)}`,
    `<td class="quiet">${timeElement(committer.at)}`,
    path === '' ? '' : file,
    `<td>${String(statusDot(status, raw(pdf)))}`,
  ]
  return `<tr>${cells.join('')}\n`
}
