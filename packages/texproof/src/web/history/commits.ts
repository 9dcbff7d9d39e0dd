import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { commitTable } from './commit-table.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { readPage } from '../ui/page-links.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { repositoryTitle, resolveRefAndPath, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

const PER_PAGE = 50
/** Git takes too long for later pages. */
const MAX_PAGE = 2_000

/** `/{owner}/{repo}/commits/{ref}/{path}`: the history of a branch, a tag or a commit, or of one file in it. */
export async function showCommits(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = c.req.param('rest') ?? repository.defaultBranch
  const found = await resolveRefAndPath(deps.git, repository.id, name)
  if (found === null) {
    if (name !== repository.defaultBranch) throw new NotFound('Branch, tag or commit not found.')
    const main = html`${repositoryHeader(c, repository, 'commits')}
      <h1>Commits</h1>
      <p class="quiet">
        No commits yet on
        ${name}.${mayWrite(c, repository) ? html` <a href="${repositoryPath(repository)}">Create the first one</a>` : ''}
      </p>`
    return sendPage(c, { title: `Commits · ${repository.owner.login}/${repository.name}`, main })
  }
  const { ref, path } = found
  const page = Math.min(MAX_PAGE, readPage(c.req.query('page')))
  const commits = await deps.git.listCommits(repository.id, ref.commitId, {
    offset: (page - 1) * PER_PAGE,
    limit: PER_PAGE + 1,
    ...(path === '' ? {} : { path }),
  })
  if (commits?.length === 0 && page === 1) throw new NotFound(`No commits on ${ref.name} changed ${path}.`)
  const main = html`${repositoryHeader(c, repository, 'commits', ref.name)}
  ${await ways(deps, repository, { ref, path })}
  ${
    commits === null
      ? html`<p class="notice">Reading this history timed out.</p>`
      : await commitTable(commits.slice(0, PER_PAGE), deps, repository, path)
  }
  ${pageWays(`${repositoryPath(repository)}/commits/${encodePath(name)}`, page, (commits?.length ?? 0) > PER_PAGE)}`
  const title = `${path === '' ? 'Commits' : `History of ${path}`} · ${repositoryTitle(repository, ref)}`
  return sendPage(c, { title, main })
}

async function ways(
  { git }: Deps,
  repository: ViewedRepository,
  { ref, path }: { readonly ref: ResolvedRef; readonly path: string },
): Promise<Html> {
  const [branches, tags] = await Promise.all([git.listBranches(repository.id), git.listTags(repository.id)])
  const home = repositoryPath(repository)
  const tail = path === '' ? '' : `/${encodePath(path)}`
  const link = (name: string): string => `${home}/commits/${encodePath(name)}${tail}`
  const base = encodePath(repository.defaultBranch)
  const head = ref.name === repository.defaultBranch ? '' : `/${base}...${encodePath(ref.name)}`
  return html`<div class="bar">
    ${path === '' ? html`<h1>Commits</h1>` : ''} ${refPicker(ref.name, { branches, tags, link })}
    ${path === '' ? '' : breadcrumb({ repository, ref, path, prefix: 'History of' })}
    <span class="actions">
      ${path === '' ? '' : html`<a href="${home}/commits/${encodePath(ref.name)}">All commits</a>`}
      <a href="${home}/compare${head}">Compare</a>
    </span>
  </div>`
}

function pageWays(href: string, page: number, hasMore: boolean): Html {
  return html`<nav class="pages" aria-label="Pages">
    ${page > 1 ? html`<a href="${href}?page=${page - 1}" rel="prev">Newer</a>` : ''}
    ${hasMore && page < MAX_PAGE ? html`<a href="${href}?page=${page + 1}" rel="next">Older</a>` : ''}
  </nav>`
}
