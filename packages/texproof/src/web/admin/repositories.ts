import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { AdminRepository } from '../../store/admin/repository-queries.ts'
import { sendAdminPage } from './admin-page.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Html } from '../ui/html.ts'
import { nameFilter } from './name-filter.ts'
import { pageLinks, readPage } from '../ui/page-links.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { requireAdmin } from '../session/viewer.ts'

/** Small, because each row measures its disk usage. */
const PER_PAGE = 25

/** `GET /admin/repos?q=&page=`: every repository with its disk usage. */
export async function showAdminRepositories(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const text = c.req.query('q') ?? ''
  const page = readPage(c.req.query('page'))
  const window = { offset: (page - 1) * PER_PAGE, limit: PER_PAGE }
  const { items, total } = await deps.store.admin.listRepositories({ text, window })
  const rows = await Promise.all(items.map((details) => repositoryRow(details, deps)))
  const main = html`${nameFilter({ action: '/admin/repos', label: 'Owner or name', text })}
  ${rows.length === 0 ? nothingFound(text) : table(rows)}
  ${pageLinks({ page, perPage: PER_PAGE, total, href: (n) => `/admin/repos?${new URLSearchParams({ q: text, page: String(n) })}` })}`
  return sendAdminPage(c, { tab: 'repos', title: 'Repositories', main })
}

function nothingFound(text: string): Html {
  return text === ''
    ? html`<p class="quiet">No repository yet.</p>`
    : html`<p class="quiet">No results for "${text}". <a href="/admin/repos">Show all</a></p>`
}

function table(rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Repositories">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Repository</th>
          <th scope="col">Visibility</th>
          <th scope="col" class="numeric">Git</th>
          <th scope="col" class="numeric">PDFs</th>
          <th scope="col">Last push</th>
          <th scope="col"><span class="visually-hidden">Disable or enable</span></th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

async function repositoryRow(
  { repository, disabledReason, pushedAt }: AdminRepository,
  { git, papers }: Pick<Deps, 'git' | 'papers'>,
): Promise<Html> {
  const { id, owner, name, visibility, isDisabled, isArchived } = repository
  const [gitBytes, pdfBytes] = await Promise.all([git.measure(id), papers.measurePdfs(id)])
  const fullName = `${owner.login}/${name}`
  const verb = isDisabled ? 'Enable' : 'Disable'
  return html`<tr>
    <th scope="row">
      <a href="/admin/repos/${fullName}"><span class="owner">${owner.login} / </span>${name}</a>
      ${isDisabled ? html`<span class="label">disabled</span>` : ''}
      ${disabledReason === null ? '' : html`<p class="quiet">${disabledReason}</p>`}
    </th>
    <td>${visibility}${isArchived ? ', archived' : ''}</td>
    <td class="numeric" data-label="Git">${formatBytes(gitBytes)}</td>
    <td class="numeric" data-label="PDFs">${formatBytes(pdfBytes)}</td>
    <td data-label="Last push">${pushedAt === null ? html`<span class="quiet">never</span>` : timeAgo(pushedAt)}</td>
    <td class="one-line"><a href="/admin/repos/${fullName}" aria-label="${verb} ${fullName}">${verb}…</a></td>
  </tr>`
}
