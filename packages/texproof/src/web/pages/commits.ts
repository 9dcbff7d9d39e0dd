import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../papers/addresses.ts'
import type { Html } from '../components/html.ts'
import { sendPage } from '../components/page.ts'
import { refPicker, repositoryHeader } from '../components/repository-header.ts'
import { timeAgo } from '../components/time-ago.ts'
import { findViewedRepository } from '../find-viewed-repository.ts'
import { NotFound } from '../not-found.ts'
import { resolveRef } from '../resolve-ref.ts'

const PER_PAGE = 50
/** Walking further takes git longer than a reader waits. */
const MAX_PAGE = 2_000

/** `/{owner}/{repo}/commits/{ref}`: the history of a branch, a tag or a commit, newest first. */
export async function showCommits(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = c.req.param('rest') ?? repository.defaultBranch
  const title = `Commits of ${repository.owner.login}/${repository.name}`
  const [ref, branches, tags] = await Promise.all([
    resolveRef(deps.git, repository.id, name),
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
  ])
  if (ref === null) {
    if (name !== repository.defaultBranch) throw new NotFound('No branch, tag or commit of this name.')
    const main = html`${repositoryHeader(c, repository, 'commits')}
      <p class="quiet">No commits yet on ${name}.</p>`
    return sendPage(c, { title, main })
  }
  const page = Math.min(MAX_PAGE, Math.max(1, Number.parseInt(c.req.query('page') ?? '', 10) || 1))
  const window = { offset: (page - 1) * PER_PAGE, limit: PER_PAGE + 1 }
  const commits = await deps.git.listCommits(repository.id, ref.commitId, window)
  const base = `${repositoryPath(repository)}/commits/`
  const link = (other: string): string => base + encodePath(other)
  const main = html`${repositoryHeader(c, repository, 'commits', ref.name)}
    <div class="bar">${refPicker(ref.name, { branches, tags, link })}</div>
    ${commits === null ? html`<p class="notice">git took too long to walk this history.</p>` : commitTable(commits.slice(0, PER_PAGE), repository)}
    <nav class="pages" aria-label="Pages">
      ${page > 1 ? html`<a href="${link(ref.name)}?page=${page - 1}" rel="prev">Newer</a>` : ''}
      ${(commits?.length ?? 0) > PER_PAGE && page < MAX_PAGE ? html`<a href="${link(ref.name)}?page=${page + 1}" rel="next">Older</a>` : ''}
    </nav>`
  return sendPage(c, { title, main })
}

function commitTable(commits: readonly Commit[], repository: Repository): Html {
  return html`<table class="commits">
    <thead>
      <tr>
        <th scope="col">Commit</th>
        <th scope="col">Author</th>
        <th scope="col">When</th>
        <th scope="col">Paper</th>
      </tr>
    </thead>
    <tbody>
      ${commits.map(
        ({ commitId, message, author, committer }) =>
          html`<tr>
            <th scope="row">
              <a href="${repositoryPath(repository)}/commit/${commitId}"
                ><code>${commitId.slice(0, 7)}</code> ${message.split('\n', 1)[0]}</a
              >
            </th>
            <td>${author.name}</td>
            <td class="quiet">${timeAgo(committer.at)}</td>
            <td><a href="${pdfPath(repository, commitId, null)}">PDF</a></td>
          </tr>`,
      )}
    </tbody>
  </table>`
}
