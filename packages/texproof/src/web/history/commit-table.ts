import { html, raw } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { formatDate } from '../ui/format/format-date.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { escapeHtml } from '../content/escape-html.ts'
import type { Html } from '../ui/html.ts'
import { documentsState, proofDot } from '../ui/document/proof-state.ts'
import type { ProofState } from '../ui/document/proof-state.ts'
import { timeElement } from '../ui/format/time-ago.ts'

/** Commits grouped by day, each with the status of its paper. */
export async function commitTable(
  commits: readonly Commit[],
  { store }: Pick<Deps, 'store'>,
  repository: Repository,
  /** Links to this file at each commit; '' = no link. */
  path = '',
): Promise<Html> {
  const summaries = await store.builds.summarise(
    repository.id,
    commits.map(({ commitId }) => commitId),
  )
  const byCommit = Map.groupBy(summaries, ({ commitId }) => commitId)
  const days = Map.groupBy(commits, ({ committer }) => formatDate(committer.at))
  const row = (commit: Commit): string =>
    commitRow(commit, repository, { path, state: documentsState(byCommit.get(commit.commitId) ?? []) })
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
    ${raw([...days].map(([day, commitsOfDay]) => dayRow(day, path) + commitsOfDay.map(row).join('')).join(''))}
  </table>`
}

function dayRow(day: string, path: string): string {
  return `<tbody><tr class="day"><th scope="rowgroup" colspan="${path === '' ? 4 : 5}">${day}`
}

/** Rows occur fifty times on a page, so they are built as text, without optional end tags. */
function commitRow(
  { commitId, message, author, committer }: Commit,
  repository: Repository,
  { path, state }: { readonly path: string; readonly state: ProofState },
): string {
  const home = repositoryPath(repository)
  const id = commitId.slice(0, 7)
  const file = `<td><a href="${home}/blob/${commitId}/${encodePath(path)}" aria-label="File at ${id}">File</a>`
  const pdf = `<a href="${pdfPath(repository, commitId, null)}" aria-label="PDF at ${id}, ${state.words}">${state.words}</a>`
  const cells = [
    `<th scope="row"><a href="${home}/commit/${commitId}" data-row><code>${id}</code> ${escapeHtml(commitSubject(message))}</a>`,
    `<td>${escapeHtml(author.name)}`,
    `<td class="quiet">${timeElement(committer.at)}`,
    path === '' ? '' : file,
    `<td>${String(proofDot(state, raw(pdf)))}`,
  ]
  return `<tr>${cells.join('')}\n`
}
