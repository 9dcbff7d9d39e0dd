import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { findNewestVersion } from '../../domain/git/version-order.ts'
import type { Commit, GitStore } from '../../git/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { changeNotShown, changeView, readChangeStyle } from './change-view.ts'
import { commitTable } from './commit-table.ts'
import { commitSubject } from '../content/commit-subject.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { orderBranches, orderTags } from '../shell/repository/order-refs.ts'
import { findChange, findChangeProblems } from './find-change.ts'
import { pageComparison } from './pages/page-comparison.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

/** Commits listed; the change includes all. */
const MAX_COMMITS = 100
/** Branches and tags to choose from; any other can be in the address. */
const MAX_OFFERED = 500
const MAX_RECENT = 20
const MAX_SUBJECT = 60

/** `/{owner}/{repo}/compare`: a form for the two refs. */
export async function chooseComparison(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const base = c.req.query('base')?.trim() ?? ''
  const head = c.req.query('head')?.trim() ?? ''
  if (base !== '' && head !== '')
    return c.redirect(`${comparisonPath(repository, { base, head })}${isOfPages(c) ? '?view=pages' : ''}`, 303)
  const end = head || repository.defaultBranch
  const ends = { base: base || (await suggestBase(deps, repository, end)), head: end }
  const main = html`${repositoryHeader(c, repository, 'commits')}
    <h1>Compare</h1>
    ${await rangeForm(deps, repository, { ...ends, isOfPages: isOfPages(c) })}`
  return sendPage(c, { title: `Compare · ${repository.owner.login}/${repository.name}`, main })
}

/**
 * `/{owner}/{repo}/compare/{base}...{head}`: the changes of `head` since its merge base with `base`. With `view=pages`, the
 * PDFs of both.
 */
export async function showComparison(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  // As in `git diff`; a comparison always starts at the merge base.
  const [, from, to] = /^(.*[^.])\.\.([^.].*)$/.exec(c.req.param('range') ?? '') ?? []
  if (from !== undefined && to !== undefined)
    return c.redirect(`${comparisonPath(repository, { base: from, head: to })}${new URL(c.req.url).search}`)
  const { base, head } = await findEnds(c, deps, repository)
  const title = `${base.name}...${head.name} · ${repository.owner.login}/${repository.name}`
  const path = comparisonPath(repository, { base: base.name, head: head.name })
  const document = c.req.query('doc') ?? null
  const main = html`${repositoryHeader(c, repository, 'commits', head.name)}
    <h1>Compare</h1>
    ${await rangeForm(deps, repository, { base: base.name, head: head.name, isOfPages: isOfPages(c) })}
    ${viewTabs(path, isOfPages(c))}
    ${
      isOfPages(c)
        ? await pageComparison(deps, { repository, base, head, document, path })
        : await sourceComparison(c, deps, { repository, base, head, path })
    }`
  return sendPage(c, { title, main, isWide: true, scripts: isOfPages(c) ? ['compare-pages'] : [] })
}

function isOfPages(c: Context): boolean {
  return c.req.query('view') === 'pages'
}

function comparisonPath(repository: ViewedRepository, { base, head }: RangeEnds): string {
  return `${repositoryPath(repository)}/compare/${encodePath(base)}...${encodePath(head)}`
}

function viewTabs(path: string, isOfPages: boolean): Html {
  return html`<nav class="tabs" aria-label="View">
    <a href="${path}" ${isOfPages ? '' : html`aria-current="page"`}>Source</a>
    <a href="${path}?view=pages" ${isOfPages ? html`aria-current="page"` : ''}>PDF</a>
  </nav>`
}

/** Names of the two refs. */
interface RangeEnds {
  readonly base: string
  readonly head: string
}

async function findEnds(
  c: Context,
  { git }: Deps,
  { id }: ViewedRepository,
): Promise<{ readonly base: ResolvedRef; readonly head: ResolvedRef }> {
  // Names of branches and tags contain no two consecutive dots.
  const [baseName = '', headName = ''] = (c.req.param('range') ?? '').split('...')
  const [base, head] = await Promise.all([resolveRef(git, id, baseName), resolveRef(git, id, headName)])
  if (base === null) throw new NotFound(`Branch, tag or commit "${baseName}" not found.`)
  if (head === null) throw new NotFound(`Branch, tag or commit "${headName}" not found.`)
  return { base, head }
}

interface Comparison {
  readonly repository: ViewedRepository
  readonly base: ResolvedRef
  readonly head: ResolvedRef
  /** Address of the page, without a query. */
  readonly path: string
}

async function sourceComparison(c: Context, deps: Deps, { repository, base, head, path }: Comparison): Promise<Html> {
  const commonId = await deps.git.findMergeBase(repository.id, [base.commitId, head.commitId])
  if (commonId === null) return html`<p class="notice">${base.name} and ${head.name} have no common commit.</p>`
  if (commonId === head.commitId)
    return html`<p class="quiet">
      ${base.commitId === head.commitId ? html`<bdi>${base.name}</bdi> and <bdi>${head.name}</bdi> are the same commit.` : html`<bdi>${base.name}</bdi> contains all commits of <bdi>${head.name}</bdi>.`}
    </p>`
  const style = readChangeStyle(c.req.query())
  const range = { fromCommitId: commonId, toCommitId: head.commitId }
  const [commits, change, problems] = await Promise.all([
    deps.git.listCommits(repository.id, head.commitId, { offset: 0, limit: MAX_COMMITS + 1, since: base.commitId }),
    findChange(deps, repository, { ...range, style }),
    findChangeProblems(deps, repository, head.commitId),
  ])
  return html`${commits === null ? html`<p class="notice">Listing the commits timed out.</p>` : await comparedCommits(commits, deps, { repository, base })}
  ${
    change.kind === 'rendered'
      ? changeView({ repository, ...range, rendered: change.rendered, problems, style, path })
      : changeNotShown(change.kind)
  }`
}

async function comparedCommits(
  commits: readonly Commit[],
  deps: Deps,
  { repository, base }: Pick<Comparison, 'repository' | 'base'>,
): Promise<Html> {
  const count = commits.length
  return html`<details class="compared-commits" ${count <= 10 ? html`open` : ''}>
    <summary>
      ${count > MAX_COMMITS ? `More than ${MAX_COMMITS}` : count} ${count === 1 ? 'commit' : 'commits'} not in
      ${base.name === base.commitId ? base.name.slice(0, 7) : base.name}
    </summary>
    ${await commitTable(commits.slice(0, MAX_COMMITS), deps, repository)}
  </details>`
}

async function rangeForm(
  { git }: Deps,
  repository: ViewedRepository,
  { base, head, isOfPages }: RangeEnds & { readonly isOfPages: boolean },
): Promise<Html> {
  const [branches, tags, commits] = await Promise.all([
    git.listBranches(repository.id),
    git.listTags(repository.id),
    listRecent(git, repository),
  ])
  const path = repositoryPath(repository)
  const offered = [
    [
      'Branches',
      orderBranches(branches)
        .slice(0, MAX_OFFERED)
        .map(({ name }) => [name, name]),
    ],
    [
      'Tags',
      orderTags(tags)
        .slice(0, MAX_OFFERED)
        .map(({ name }) => [name, name]),
    ],
    ['Recent commits', commits.map(({ commitId, message }) => [commitId, labelCommit(commitId, message)])],
  ] as const
  const field = (name: string, label: string, value: string): Html =>
    html`<p class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}" required>
        ${offered.some(([, options]) => options.some(([id]) => id === value)) ? '' : html`<option value="${value}" selected>${value}</option>`}
        ${offered.map(([group, options]) =>
          options.length === 0
            ? ''
            : html`<optgroup label="${group}">
                ${options.map(([id, text]) => html`<option value="${id ?? ''}" ${id === value ? html`selected` : ''}>${text}</option>`)}
              </optgroup>`,
        )}
      </select>
    </p>`
  const view = isOfPages ? '?view=pages' : ''
  return html`<form action="${path}/compare" class="compare-form">
    ${isOfPages ? html`<input type="hidden" name="view" value="pages" />` : ''} ${field('base', 'From', base)}
    ${field('head', 'To', head)}
    <p>
      <button class="drawn-button">Compare</button>
      <a href="${comparisonPath(repository, { base: head, head: base })}${view}">Swap</a>
    </p>
  </form>`
}

/**
 * A change is usually compared with the version that was submitted last; without one, a branch with the default branch,
 * and that with its commit before the last.
 */
async function suggestBase({ git }: Deps, repository: ViewedRepository, head: string): Promise<string> {
  const version = findNewestVersion(await git.listTags(repository.id))
  if (version !== null) return version.name
  if (head !== repository.defaultBranch) return repository.defaultBranch
  const [, previous] = await listRecent(git, repository)
  return previous?.commitId ?? repository.defaultBranch
}

async function listRecent(git: GitStore, { id, defaultBranch }: ViewedRepository): Promise<readonly Commit[]> {
  const branch = await git.findBranch(id, defaultBranch)
  return branch === null ? [] : ((await git.listCommits(id, branch.commitId, { offset: 0, limit: MAX_RECENT })) ?? [])
}

function labelCommit(commitId: string, message: string): string {
  const subject = commitSubject(message)
  return `${commitId.slice(0, 7)} ${subject.length > MAX_SUBJECT ? `${subject.slice(0, MAX_SUBJECT)}…` : subject}`
}
