import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import { repositoryPath } from '../../papers/addresses.ts'
import type { Html } from './html.ts'
import { papersState, proofDot } from './proof-state.ts'
import { timeAgo } from './time-ago.ts'

/** Repositories as a table, each with the state of its paper on the default branch. */
export async function repositoryTable(
  repositories: readonly Repository[],
  deps: Pick<Deps, 'git' | 'papers'>,
  options: { readonly isOwnerShown: boolean },
): Promise<Html> {
  const rows = await Promise.all(repositories.map((repository) => repositoryRow(repository, deps, options)))
  return html`<table class="repositories">
    <thead class="visually-hidden">
      <tr>
        <th scope="col">Repository</th>
        <th scope="col">Paper</th>
        <th scope="col">Updated</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

async function repositoryRow(
  repository: Repository,
  { git, papers }: Pick<Deps, 'git' | 'papers'>,
  { isOwnerShown }: { readonly isOwnerShown: boolean },
): Promise<Html> {
  const head = await git.findBranch(repository.id, repository.defaultBranch)
  const ref = `refs/heads/${repository.defaultBranch}`
  const paper = head && (await papers.findPaper(repository.id, { ref, commitId: head.commitId, document: null }))
  return html`<tr>
    <th scope="row">
      <a href="${repositoryPath(repository)}"
        >${isOwnerShown ? html`<span class="owner">${repository.owner.login} / </span>` : ''}${repository.name}</a
      >
      ${repository.description === null ? '' : html`<p class="description">${repository.description}</p>`}
    </th>
    <td>${paper === null ? '' : proofDot(papersState(paper))}</td>
    <td class="quiet">${timeAgo(repository.updatedAt)}</td>
  </tr>`
}
