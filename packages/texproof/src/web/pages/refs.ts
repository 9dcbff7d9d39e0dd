import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Ref } from '../../git/types.ts'
import { encodePath, pdfPath, repositoryPath } from '../../papers/addresses.ts'
import { sortByVersionDescending } from '../../domain/version-order.ts'
import { commitLine } from '../components/commit-line.ts'
import type { Html } from '../components/html.ts'
import { sendPage } from '../components/page.ts'
import { repositoryHeader } from '../components/repository-header.ts'
import { findViewedRepository } from '../find-viewed-repository.ts'
import type { ViewedRepository } from '../find-viewed-repository.ts'

const PER_PAGE = 50

/** `/{owner}/{repo}/branches`: every branch with its newest commit and its PDF. */
export async function showBranches(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const page = pageOf(c)
  const { branches, total } = await deps.git.pageBranches(repository.id, window(page))
  const empty = html`<p class="quiet">No branches yet. The first push makes one.</p>`
  return sendRefs(c, deps, { repository, tab: 'branches', refs: branches, total, page, empty })
}

/** `/{owner}/{repo}/tags`: every tag, the newest version first. */
export async function showTags(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const page = pageOf(c)
  const tags = await deps.git.listTags(repository.id)
  const { offset, limit } = window(page)
  const refs = sortByVersionDescending(tags).slice(offset, offset + limit)
  const empty = html`<p>Tag a version that you send to someone:</p>
    <pre class="type-this" tabindex="0"><code>git tag v1-submitted
git push --tags</code></pre>`
  return sendRefs(c, deps, { repository, tab: 'tags', refs, total: tags.length, page, empty })
}

function pageOf(c: Context): number {
  return Math.min(100_000, Math.max(1, Number.parseInt(c.req.query('page') ?? '', 10) || 1))
}

function window(page: number): { readonly offset: number; readonly limit: number } {
  return { offset: (page - 1) * PER_PAGE, limit: PER_PAGE }
}

interface RefsView {
  readonly repository: ViewedRepository
  readonly tab: 'branches' | 'tags'
  readonly refs: readonly Ref[]
  readonly total: number
  readonly page: number
  readonly empty: Html
}

async function sendRefs(c: Context, { git }: Deps, view: RefsView): Promise<Response> {
  const { repository, tab, refs, total, page, empty } = view
  const rows = await Promise.all(
    refs.map(async (ref) => refRow(ref, repository, commitLine(await git.findCommit(repository.id, ref.commitId)))),
  )
  const href = `${repositoryPath(repository)}/${tab}?page=`
  const title = tab === 'branches' ? 'Branches' : 'Tags'
  const main = html`${repositoryHeader(c, repository, tab)}
    ${
      total === 0
        ? empty
        : html`<table>
            <thead>
              <tr>
                <th scope="col">${title}</th>
                <th scope="col">Newest commit</th>
                <th scope="col">Paper</th>
              </tr>
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>`
    }
    <nav class="pages" aria-label="Pages">
      ${page > 1 ? html`<a href="${href}${page - 1}" rel="prev">Previous</a>` : ''}
      ${page * PER_PAGE < total ? html`<a href="${href}${page + 1}" rel="next">Next</a>` : ''}
    </nav>`
  return sendPage(c, { title: `${title} of ${repository.owner.login}/${repository.name}`, main })
}

function refRow({ name }: Ref, repository: Repository, newest: Html | ''): Html {
  const isDefault = name === repository.defaultBranch
  return html`<tr>
    <th scope="row">
      <a href="${repositoryPath(repository)}/tree/${encodePath(name)}">${name}</a>
      ${isDefault ? html`<span class="label">default</span>` : ''}
    </th>
    <td>${newest}</td>
    <td><a href="${pdfPath(repository, name, null)}">PDF</a></td>
  </tr>`
}
