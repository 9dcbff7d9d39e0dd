import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { BuildRecord } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import { describeResult } from '../../papers/push/describe-push.ts'
import { breakable } from '../ui/breakable.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'
import { formatDuration } from '../ui/format/format-duration.ts'
import type { Html } from '../ui/html.ts'
import { readPage } from '../ui/page-links.ts'
import { sendPage } from '../shell/page.ts'
import { buildStatus, statusDot } from '../ui/document/document-status.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'

const PER_PAGE = 30
const REFRESH_AFTER = 2

/** `/{owner}/{repo}/builds`: every build, newest first. */
export async function showBuilds(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const page = readPage(c.req.query('page'))
  const [builds, total] = await Promise.all([
    deps.store.builds.list(repository.id, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    deps.store.builds.count(repository.id),
  ])
  const isBusy = builds.some(isInProgress)
  const main = html`${repositoryHeader(c, repository, 'builds')}
    <h1>Builds</h1>
    ${total === 0 ? html`<p class="quiet">No builds yet. A push that contains a LaTeX document starts one.</p>` : buildTable(builds, repository)}
    ${pageLinks(repository, page, total)}`
  return sendPage(c, {
    title: `Builds of ${repository.owner.login}/${repository.name}`,
    main,
    refreshAfter: isBusy ? REFRESH_AFTER : undefined,
  })
}

function buildTable(builds: readonly BuildRecord[], repository: Repository): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Builds">
    <table class="builds">
      <thead>
        <tr>
          <th scope="col">Build</th>
          <th scope="col">Result</th>
          <th scope="col">Document</th>
          <th scope="col">Branch</th>
          <th scope="col">Commit</th>
          <th scope="col" class="numeric">Time</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        ${builds.map((build) => buildRow(build, repository))}
      </tbody>
    </table>
  </div>`
}

function buildRow(build: BuildRecord, repository: Repository): Html {
  const isOver = build.state === 'succeeded' || build.state === 'failed'
  return html`<tr>
    <th scope="row"><a href="${buildPath(repository, build.number)}">${build.number}</a></th>
    <td>
      ${statusDot(buildStatus(build))}${isOver ? html` <span class="quiet">${keepCounts(describeResult(build))}</span>` : ''}
    </td>
    <td title="${build.rootFile}">${breakable(build.document)}</td>
    <td class="quiet">${shortRefName(build.ref)}</td>
    <td><code>${build.commitId.slice(0, 7)}</code></td>
    <td class="numeric">${formatDuration(build)}</td>
    <td class="quiet">${timeAgo(build.createdAt)}</td>
  </tr>`
}

function pageLinks(repository: Repository, page: number, total: number): Html | '' {
  if (total <= PER_PAGE) return ''
  const href = `${repositoryPath(repository)}/builds?page=`
  return html`<nav class="pages" aria-label="Pages">
    ${page > 1 ? html`<a href="${href}${page - 1}" rel="prev">Newer</a>` : ''}
    ${page * PER_PAGE < total ? html`<a href="${href}${page + 1}" rel="next">Older</a>` : ''}
  </nav>`
}
