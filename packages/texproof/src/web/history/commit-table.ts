import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import { formatDate } from '../ui/format/format-date.ts'
import { commitSubject } from '../content/commit-subject.ts'
import type { Html } from '../ui/html.ts'
import { documentsState, proofDot } from '../ui/document/proof-state.ts'
import type { ProofState } from '../ui/document/proof-state.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

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
    ${[...days].map(
      ([day, commitsOfDay]) =>
        html`<tbody>
          <tr class="day">
            <th scope="rowgroup" colspan="${path === '' ? 4 : 5}">${day}</th>
          </tr>
          ${commitsOfDay.map((commit) => commitRow(commit, repository, { path, state: documentsState(byCommit.get(commit.commitId) ?? []) }))}
        </tbody>`,
    )}
  </table>`
}

function commitRow(
  { commitId, message, author, committer }: Commit,
  repository: Repository,
  { path, state }: { readonly path: string; readonly state: ProofState },
): Html {
  return html`<tr>
    <th scope="row">
      <a href="${repositoryPath(repository)}/commit/${commitId}" data-row
        ><code>${commitId.slice(0, 7)}</code> ${commitSubject(message)}</a
      >
    </th>
    <td>${author.name}</td>
    <td class="quiet">${timeAgo(committer.at)}</td>
    ${path === '' ? '' : html`<td><a href="${repositoryPath(repository)}/blob/${commitId}/${encodePath(path)}" aria-label="File at ${commitId.slice(0, 7)}">File</a></td>`}
    <td>
      ${proofDot(
        state,
        html`<a
          href="${pdfPath(repository, commitId, null)}"
          aria-label="PDF at ${commitId.slice(0, 7)}, ${state.words}"
          >${state.words}</a
        >`,
      )}
    </td>
  </tr>`
}
