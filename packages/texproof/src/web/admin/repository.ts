/** `/admin/repos/{owner}/{repo}`: details of one repository, and the form that disables or enables it. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import {
  disableRepository,
  enableRepository,
  setTemplateListed,
} from '../../operations/repository/disable-repository.ts'
import { stopBuilds } from '../../operations/repository/stop-builds.ts'
import type { AdminRepository } from '../../store/admin/repository-queries.ts'
import type { TemplateStatus } from '../../store/repositories/templates.ts'
import { sendAdminPage } from './admin-page.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { formatDate } from '../ui/format/format-date.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { formField } from '../ui/form/form-field.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireAdmin } from '../session/viewer.ts'

/** The page. */
export async function showAdminRepository(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  return sendRepository(c, deps, { details: await findAdminRepository(c, deps), reason: '', problems: noProblems })
}

/** Disables the repository with the reason given, or enables it. */
export async function postAdminRepository(c: Context, deps: Deps): Promise<Response> {
  const actorId = requireAdmin(c).user.id
  const details = await findAdminRepository(c, deps)
  const { repository } = details
  const action = readField(c, 'action')
  if (action === 'enable') await enableRepository(deps, { repository, actorId })
  else if (action === 'disable') {
    const reason = readField(c, 'reason')
    if (!(await disableRepository(deps.store, { repository, reason, actorId }))) {
      const problems = {
        reason: 'Enter a reason of at most 500 characters on one line. The repository was not disabled.',
      }
      return sendRepository(c, deps, { details, reason, problems })
    }
    await stopBuilds(deps, repository.id)
  } else if (action === 'list' || action === 'unlist') {
    if (!(await setTemplateListed(deps.store, { repository, actorId, isListed: action === 'list' })))
      throw new NotFound('This repository is not a template.')
  } else throw new NotFound('Unknown action.')
  return c.redirect(c.req.path, 303)
}

/** @throws NotFound when there is no such repository. */
async function findAdminRepository(c: Context, { store }: Deps): Promise<AdminRepository> {
  const found = await store.repositories.findByName(c.req.param('owner') ?? '', c.req.param('repo') ?? '')
  const details = found === null ? null : await store.admin.findRepository(found.id)
  if (details === null) throw new NotFound('Repository not found.')
  return details
}

interface RepositoryView {
  readonly details: AdminRepository
  /** Reason as typed. */
  readonly reason: string
  readonly problems: FormProblems
}

async function sendRepository(
  c: Context,
  { git, papers, store }: Deps,
  { details, reason, problems }: RepositoryView,
): Promise<Response> {
  const { repository, pushedAt } = details
  const { id, owner, name, visibility, isArchived, createdAt } = repository
  const [gitBytes, pdfBytes, builds, collaborators, template] = await Promise.all([
    git.measure(id),
    papers.measurePdfs(id),
    store.builds.count(id),
    store.repositories.listCollaborators(id),
    store.templates.find(id),
  ])
  const main = html`<dl class="admin-details">
      <dt>Owner</dt>
      <dd><a href="/${owner.login}">${owner.login}</a></dd>
      <dt>Visibility</dt>
      <dd>${visibility}${isArchived ? ', archived' : ''}</dd>
      <dt>Collaborators</dt>
      <dd>${collaborators.length === 0 ? 'none' : collaborators.map(({ login }) => login).join(', ')}</dd>
      <dt>Created</dt>
      <dd>${formatDate(createdAt)}</dd>
      <dt>Last push</dt>
      <dd>${pushedAt === null ? 'never' : timeAgo(pushedAt)}</dd>
      <dt>On disk</dt>
      <dd>${formatBytes(gitBytes)} of git, ${formatBytes(pdfBytes)} of PDFs from ${builds} builds</dd>
    </dl>
    ${template === 'none' ? '' : templateForm(c, template)}
    ${repository.isDisabled ? enableForm(c, details) : disableForm(c, { details, reason, problems })}`
  const title = `${owner.login}/${name}`
  return sendAdminPage(c, {
    tab: 'repos',
    title,
    back: { href: '/admin/repos', label: 'Repositories' },
    main,
    status: isRefused(problems) ? 422 : 200,
  })
}

/** Chooses whether the gallery of new repositories shows the template. */
function templateForm(c: Context, template: Exclude<TemplateStatus, 'none'>): Html {
  const isListed = template === 'listed'
  return html`<h2>Template</h2>
    <p>
      ${isListed ? 'This repository is in the template gallery.' : 'The owner offers this repository as a template.'}
      The gallery shows it to users who can read it.
    </p>
    <form method="post" class="settings-form">
      ${formToken(c)}
      <p>
        <button class="button" name="action" value="${isListed ? 'unlist' : 'list'}">
          ${isListed ? 'Remove from the gallery' : 'Add to the gallery'}
        </button>
      </p>
    </form>`
}

function disableForm(c: Context, { details, reason, problems }: RepositoryView): Html {
  const { owner } = details.repository
  return html`<h2>Disable</h2>
    <p>
      Only ${owner.login} and collaborators with admin access can still open the repository. Pushes and builds are
      rejected, and its share links stop working. Nothing is deleted.
    </p>
    ${formProblems(problems)}
    <form method="post" class="settings-form">
      ${formToken(c)}
      ${formField({
        name: 'reason',
        label: 'Reason',
        autocomplete: 'off',
        value: reason,
        hint: `Shown to ${owner.login} on the repository page.`,
        problems,
      })}
      <p><button class="button" name="action" value="disable">Disable this repository</button></p>
    </form>`
}

function enableForm(c: Context, { repository: { owner }, disabledReason }: AdminRepository): Html {
  return html`<h2>Disabled</h2>
    <p class="notice">${disabledReason ?? 'No reason given.'}</p>
    <p>Enabling restores access, pushes, builds and share links.</p>
    <form method="post" class="settings-form">
      ${formToken(c)}
      <p><button class="button" name="action" value="enable">Enable this repository for ${owner.login}</button></p>
    </form>`
}
