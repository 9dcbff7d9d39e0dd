/** `/admin/builds`: running and queued builds, and the results of the last week. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import { isInProgress } from '../../domain/build.ts'
import type { BuildTally, FailingRepository, AdminBuild } from '../../store/admin/build-queries.ts'
import { sendAdminPage } from './admin-page.ts'
import { breakable } from '../ui/breakable.ts'
import { formatDuration } from '../ui/format/format-duration.ts'
import type { Html } from '../ui/html.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireAdmin } from '../session/viewer.ts'

const MAX_OPEN = 200
const MAX_LISTED = 10
const WEEK_MS = 7 * 86_400_000
/** Seconds between two reloads while a build runs. */
const REFRESH_AFTER = 5

/** The page. */
export async function showAdminBuilds(c: Context, { store }: Deps): Promise<Response> {
  requireAdmin(c)
  const since = Date.now() - WEEK_MS
  const [open, tally, slowest, failing] = await Promise.all([
    store.admin.listOpenBuilds({ limit: MAX_OPEN }),
    store.admin.tallyBuilds({ since }),
    store.admin.listSlowestBuilds({ since, limit: MAX_LISTED }),
    store.admin.listFailingRepositories({ since, limit: MAX_LISTED }),
  ])
  const main = html`<h2>Now</h2>
    ${open.length === 0 ? html`<p class="quiet">No builds are running or queued.</p>` : openTable(c, open)}
    <h2>Last 7 days</h2>
    <p>${describeWeek(tally)}</p>
    ${failing.length === 0 ? '' : failingTable(failing)} ${slowest.length === 0 ? '' : slowTable(slowest)}`
  const refreshAfter = open.length === 0 ? undefined : REFRESH_AFTER
  return sendAdminPage(c, { tab: 'builds', title: 'Builds', main, refreshAfter })
}

/** `POST /admin/builds`: cancels a queued or running build; does nothing if it has ended. */
export async function postStopBuild(c: Context, { papers, store }: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  const id = Number(readField(c, 'build'))
  const build = Number.isSafeInteger(id) ? await store.builds.find(id) : null
  if (build === null) throw new NotFound('Build not found.')
  if (isInProgress(build)) {
    await papers.stopBuild(build.id)
    const repository = await store.repositories.findById(build.repositoryId)
    const name = repository === null ? '' : `${repository.owner.login}/${repository.name} `
    const detail = `${name}build ${build.number}`
    await store.events.add({ kind: 'build-stopped', userId: repository?.owner.id ?? null, actorId: user.id, detail })
  }
  return c.redirect('/admin/builds', 303)
}

function describeWeek({ succeededCount, failedCount, reusedCount }: BuildTally): string {
  const all = succeededCount + failedCount
  if (all === 0) return 'Nothing was built.'
  const share = (count: number): string => `${Math.round((100 * count) / all)}%`
  const reused = `${reusedCount} (${share(reusedCount)}) reused an existing PDF`
  return `${all} builds: ${failedCount} (${share(failedCount)}) with errors; ${reused}.`
}

function openTable(c: Context, builds: readonly AdminBuild[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Active builds">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col">Branch</th>
          <th scope="col">Document</th>
          <th scope="col">Status</th>
          <th scope="col">Requested</th>
          <th scope="col"><span class="visually-hidden">Stop</span></th>
        </tr>
      </thead>
      <tbody>
        ${builds.map((build) => openRow(c, build))}
      </tbody>
    </table>
  </div>`
}

function openRow(c: Context, build: AdminBuild): Html {
  const { id, owner, repository, ref, rootFile, state, createdAt, number } = build
  return html`<tr>
    <th scope="row">${repositoryLink(owner, repository)}</th>
    <td data-label="Branch">${shortRefName(ref)}</td>
    <td>${breakable(rootFile)}</td>
    <td>${state === 'running' ? 'running' : 'queued'}</td>
    <td>${timeAgo(createdAt)}</td>
    <td class="one-line">
      <form method="post" action="/admin/builds">
        ${formToken(c)}
        <button
          class="plain-button"
          name="build"
          value="${id}"
          aria-label="Stop build ${number} of ${owner}/${repository}"
        >
          Stop
        </button>
      </form>
    </td>
  </tr>`
}

function failingTable(repositories: readonly FailingRepository[]): Html {
  return html`<h3>Most errors</h3>
    <table class="settings-table">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col" class="numeric">With errors</th>
          <th scope="col" class="numeric">Builds</th>
        </tr>
      </thead>
      <tbody>
        ${repositories.map(
          ({ owner, repository, failedCount, count }) =>
            html`<tr>
              <th scope="row">${repositoryLink(owner, repository)}</th>
              <td class="numeric">${failedCount}</td>
              <td class="numeric">${count}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

function slowTable(builds: readonly AdminBuild[]): Html {
  return html`<h3>Slowest</h3>
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col">Document</th>
          <th scope="col" class="numeric">Time</th>
        </tr>
      </thead>
      <tbody>
        ${builds.map(
          (build) =>
            html`<tr>
              <th scope="row">
                ${repositoryLink(build.owner, build.repository)} <span class="quiet">build ${build.number}</span>
              </th>
              <td>${breakable(build.rootFile)}</td>
              <td class="numeric" data-label="Time">${formatDuration(build)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
}

/** Links only repositories that the administrator may open; the name is shown for all. */
function repositoryLink(owner: string, name: string): Html {
  return html`<a href="/admin/repos/${owner}/${name}"><span class="owner">${owner} / </span>${name}</a>`
}
