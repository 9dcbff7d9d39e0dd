/** `/{owner}/{repo}/branches`: every branch with its newest commit, its distance from the default one and its PDF. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Distance } from '../../git/history/rev-list.ts'
import type { Ref } from '../../git/types.ts'
import { listRestorableBranches } from '../../operations/branch/delete-branch.ts'
import { archivePath, encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { DeletedBranch } from '../../store/repositories/deleted-branches.ts'
import { commitLine } from '../ui/commit-line.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { pageLinks, readPage } from '../ui/page-links.ts'
import { sendPage } from '../shell/page.ts'
import { paperCell } from './paper-cell.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { findDistances } from './find-distances.ts'
import { hasPapers } from '../shell/repository/has-documents.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { listBranchPage } from './list-branch-page.ts'
import type { BranchPageQuery } from './list-branch-page.ts'
import { formToken } from '../session/form.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'

const PER_PAGE = 30
const MAX_FILTER_LENGTH = 250

/** The page. */
export async function showBranches(c: Context, deps: Deps): Promise<Response> {
  return sendBranches(c, deps, { repository: await findViewedRepository(c, deps), problem: null })
}

/** The page, with the problem of a failed change. */
export async function sendBranches(
  c: Context,
  deps: Deps,
  { repository, problem }: { readonly repository: ViewedRepository; readonly problem: string | null },
): Promise<Response> {
  const text = (c.req.query('q') ?? '').trim().slice(0, MAX_FILTER_LENGTH)
  const page = readPage(c.req.query('page'))
  const isWriter = mayWrite(c, repository)
  const base = await deps.git.findBranch(repository.id, repository.defaultBranch)
  const sort = c.req.query('sort') === 'newest' ? 'newest' : 'name'
  const asked = { text, sort, page, perPage: PER_PAGE, base } as const
  const { branches, total } = await listBranchPage(deps.git, repository.id, asked)
  const isPaper = await hasPapers(deps, { repository, commitId: base?.commitId ?? null })
  const distances = await findDistances(deps.git, repository.id, { base, branches })
  const rows = await Promise.all(
    branches.map((ref) => {
      const distance = distances.get(ref.name) ?? null
      return branchRow(ref, { repository, deps, distance, isWriter, isPaper })
    }),
  )
  const deleted = isWriter ? await listRestorableBranches(deps, repository.id) : []
  const path = `${repositoryPath(repository)}/branches`
  const href = (n: number): string =>
    `${path}?${new URLSearchParams({ ...(text === '' ? {} : { q: text }), ...(sort === 'name' ? {} : { sort }), page: String(n) })}`
  const main = html`${repositoryHeader(c, repository, 'branches')}
    ${formProblems(problem === null ? noProblems : { form: problem })}
    <h1>Branches</h1>
    <div class="bar">
      ${total === 0 && text === '' ? '' : filterForm(path, { text, sort })}
      ${isWriter && base !== null ? html`<p class="actions"><a class="button" href="${path}/new">${icon('plus')} New branch</a></p>` : ''}
    </div>
    ${rows.length === 0 ? emptyList(text, path) : branchTable(rows)}
    ${pageLinks({ page, perPage: PER_PAGE, total, href })} ${deletedList(c, deleted, path)}`
  const title = `Branches of ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: problem === null ? 200 : 422 })
}

function filterForm(path: string, { text, sort }: Pick<BranchPageQuery, 'text' | 'sort'>): Html {
  return html`<form class="filter" action="${path}" role="search" aria-label="Filter">
    <p>
      <label for="filter">Name</label>
      <input id="filter" name="q" type="search" value="${text}" />
    </p>
    <p>
      <label for="sort">Sort</label>
      <select id="sort" name="sort">
        <option value="name">Name</option>
        <option value="newest" ${sort === 'newest' ? html`selected` : ''}>Newest commit</option>
      </select>
    </p>
    <p><button class="drawn-button">Filter</button></p>
  </form>`
}

function emptyList(text: string, path: string): Html {
  if (text === '') return html`<p class="quiet">No branches yet. The first push creates one.</p>`
  return html`<p class="quiet">No results for "${text}". <a href="${path}">Show all</a></p>`
}

function branchTable(rows: readonly Html[]): Html {
  return html`<table class="refs">
    <thead>
      <tr>
        <th scope="col">Branch</th>
        <th scope="col">Latest commit</th>
        <th scope="col">Ahead and behind</th>
        <th scope="col">PDF</th>
        <th scope="col"><span class="visually-hidden">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

interface RowContext {
  readonly repository: ViewedRepository
  readonly deps: Deps
  /** null = unknown. */
  readonly distance: Distance | null
  readonly isWriter: boolean
  readonly isPaper: boolean
}

async function branchRow(ref: Ref, { repository, deps, distance, isWriter, isPaper }: RowContext): Promise<Html> {
  const { name, commitId } = ref
  const path = repositoryPath(repository)
  const isDefault = name === repository.defaultBranch
  const [commit, paper] = await Promise.all([
    deps.git.findCommit(repository.id, commitId),
    deps.papers.findPaper(repository.id, { ref: `refs/heads/${name}`, commitId, document: null }),
  ])
  const comparison = `${path}/compare/${encodePath(repository.defaultBranch)}...${encodePath(name)}`
  return html`<tr>
    <th scope="row">
      <a href="${path}/tree/${encodePath(name)}">${name}</a>
      ${isDefault ? html`<span class="label">default</span>` : ''}
    </th>
    <td>${commitLine(commit, repository)}</td>
    <td>${isDefault || distance === null ? '' : html`<a href="${comparison}">${describeDistance(distance)}</a>`}</td>
    <td>${isPaper ? paperCell(paper, repository, name) : ''}</td>
    <td class="row-actions">
      <a href="${archivePath(repository, name, 'zip')}" download aria-label="ZIP of ${name}">ZIP</a>
      ${isWriter && !isDefault ? html`<a href="${path}/branches/delete/${encodePath(name)}" aria-label="Delete ${name}">Delete</a>` : ''}
    </td>
  </tr>`
}

function describeDistance({ ahead, behind }: Distance): string {
  const parts = [ahead === 0 ? null : `${ahead} ahead`, behind === 0 ? null : `${behind} behind`]
  return parts.filter((part) => part !== null).join(', ') || 'even'
}

function deletedList(c: Context, deleted: readonly DeletedBranch[], path: string): Html | '' {
  if (deleted.length === 0) return ''
  return html`<section aria-labelledby="deleted">
    <h2 id="deleted">Recently deleted (restorable for 7 days)</h2>
    <ul class="lines">
      ${deleted.map(
        ({ id, name, commitId, deletedBy, deletedAt }) =>
          html`<li>
            <form method="post" action="${path}/restore">
              ${formToken(c)}
              <input type="hidden" name="branch" value="${name}" />
              <input type="hidden" name="commit" value="${commitId}" />
              <span class="place">${name}</span>
              <span class="quiet"
                >at <code>${commitId.slice(0, 7)}</code>, ${deletedBy === null ? '' : html`by ${deletedBy},`}
                ${timeAgo(deletedAt)}</span
              >
              <button class="plain-button" name="id" value="${id}" aria-label="Restore ${name}">Restore</button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`
}
