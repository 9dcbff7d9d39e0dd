/** `/{owner}/{repo}/settings`: the settings of a repository for its administrators, one form for each part. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { accessNames } from '../../domain/access.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Ref } from '../../git/types.ts'
import type { TemplateStatus } from '../../store/repositories/templates.ts'
import type { Collaborator } from '../../store/repositories/repositories.ts'
import {
  addCollaborator,
  changeDefaultBranch,
  changeDescription,
  removeCollaborator,
  setArchived,
  setTemplate,
} from '../../operations/repository/change-repository.ts'
import type { RepositoryChangeBy } from '../../operations/repository/change-repository.ts'
import { deleteRepository } from '../../operations/repository/delete-repository.ts'
import { stopBuilds } from '../../operations/repository/stop-builds.ts'
import { renameRepository } from '../../operations/repository/rename-repository.ts'
import { buildSettingsPath, newFromPath, repositoryPath } from '../../domain/page-urls.ts'
import { avatar } from '../ui/avatar.ts'
import { describedBy, fieldProblem, formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { orderBranches } from '../shell/repository/order-refs.ts'
import { formField } from '../ui/form/form-field.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { formToken, readField } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import type { Notice } from '../session/notice.ts'
import { requireViewer } from '../session/viewer.ts'
import { capitalize } from '../../domain/text/capitalize.ts'

const NAME_RULE = 'letters, digits, ".", "-" and "_", at most 100, not ending in .git or .wiki.'

/** Maximum number of branches in the menu. With more, the name is typed instead. */
const MAX_OFFERED = 300

interface OfferedBranches {
  readonly branches: readonly Ref[]
  readonly total: number
}

/** The page. */
export async function showRepositorySettings(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  return sendSettings(c, deps, repository, UNTOUCHED)
}

/** Handles the form named by `part`. */
export async function postRepositorySettings(c: Context, deps: Deps): Promise<Response> {
  const change = await requireAdministered(c, deps)
  const { repository } = change
  const name = c.req.param('part') ?? ''
  const part = PARTS[name]
  if (part === undefined) throw new NotFound()
  const outcome = await part(c, deps, change)
  if ('problems' in outcome) {
    return sendSettings(c, deps, repository, { part: name, typed: await readTyped(c), problems: outcome.problems })
  }
  return redirectWithNotice(c, outcome.next ?? `${repositoryPath(repository)}/settings`, outcome.notice)
}

/** Values of the forms: as stored, and for a refused form as typed. */
interface ReturnedForm {
  /** Which form was refused; null = none. */
  readonly part: string | null
  readonly typed: Readonly<Record<string, string>>
  readonly problems: FormProblems
}

const UNTOUCHED: ReturnedForm = { part: null, typed: {}, problems: noProblems }

/** The typed values by field. */
async function readTyped(c: Context): Promise<Readonly<Record<string, string>>> {
  const fields = ['description', 'new-name', 'branch', 'login', 'right', 'name'].map(
    async (field) => [field, readField(c, field)] as const,
  )
  return Object.fromEntries(await Promise.all(fields))
}

/** Done, or refused. @default next: the page itself */
type Outcome = { readonly problems: FormProblems } | { readonly notice: Notice; readonly next?: string }
type Part = (c: Context, deps: Deps, change: RepositoryChangeBy) => Promise<Outcome>

const PARTS: Readonly<Record<string, Part>> = {
  async details(c, deps, change) {
    const isDone = await changeDescription(deps, change, readField(c, 'description'))
    if (isDone) return { notice: 'description-saved' }
    return { problems: { description: 'Enter one line of at most 500 characters.' } }
  },
  async name(c, deps, change) {
    const name = readField(c, 'new-name').trim()
    const { owner } = change.repository
    switch (await renameRepository(deps, change, name)) {
      case 'invalid':
        return { problems: { 'new-name': `Invalid name "${name}". Use ${NAME_RULE}` } }
      case 'taken':
        return { problems: { 'new-name': `${owner.login}/${name} already exists. Nothing was changed.` } }
      case 'same':
        return { problems: { 'new-name': 'The repository already has this name. Nothing was changed.' } }
      case 'gone':
        throw new NotFound()
      case 'renamed':
        return { notice: 'repository-renamed', next: `/${owner.login}/${name}/settings` }
    }
  },
  async branch(c, deps, change) {
    const isDone = await changeDefaultBranch(deps, change, readField(c, 'branch'))
    if (isDone) return { notice: 'default-branch-changed' }
    return { problems: { branch: 'This branch no longer exists. Choose another one.' } }
  },
  async archive(c, deps, change) {
    const isArchived = readField(c, 'archived') === 'yes'
    await setArchived(deps, change, isArchived)
    return { notice: isArchived ? 'repository-archived' : 'repository-unarchived' }
  },
  async template(c, deps, change) {
    await setTemplate(deps, change, readField(c, 'template') === 'yes')
    return { notice: 'template-changed' }
  },
  async collaborators(c, deps, change) {
    const login = readField(c, 'login').trim()
    const right = readField(c, 'right')
    if (right === 'none') {
      await removeCollaborator(deps, change, login)
      return { notice: 'collaborator-removed' }
    }
    const permission = right === 'admin' || right === 'push' ? right : 'pull'
    const outcome = await addCollaborator(deps, change, { login, permission })
    if (outcome === 'added') return { notice: 'collaborator-saved' }
    const problem = outcome === 'owner' ? 'The owner already has full access.' : `User "${login}" not found.`
    return { problems: { login: problem } }
  },
  async delete(c, deps, change) {
    const name = `${change.repository.owner.login}/${change.repository.name}`
    if (readField(c, 'name').trim() !== name)
      return { problems: { name: `Type ${name} to delete it. Nothing was deleted.` } }
    await deleteRepository(deps, change)
    await stopBuilds(deps, change.repository.id)
    const isOwn = change.actor.id === change.repository.owner.id
    return { notice: 'repository-deleted', next: isOwn ? '/settings/trash' : '/' }
  },
}

async function sendSettings(
  c: Context,
  { git, store }: Deps,
  repository: ViewedRepository,
  { part: returned, typed, problems }: ReturnedForm,
): Promise<Response> {
  const [branches, collaborators, template] = await Promise.all([
    git.pageBranches(repository.id, { offset: 0, limit: MAX_OFFERED }),
    store.repositories.listCollaborators(repository.id),
    store.templates.find(repository.id),
  ])
  const bare = (part: string, fields: Html): Html =>
    html`<form method="post" action="${repositoryPath(repository)}/settings/${part}">${formToken(c)} ${fields}</form>`
  const form = (part: string, fields: Html): Html =>
    bare(part, part === returned ? html`${formProblems(problems)} ${fields}` : fields)
  const at = (part: string): FieldsAt => (part === returned ? { typed, problems } : { typed: {}, problems: noProblems })
  const main = html`${repositoryHeader(c, repository, 'settings')}
    <section class="settings-form repository-settings">
      <h1>Settings</h1>
      ${part('Description', form('details', detailFields(repository, at('details'))))}
      ${part('Name', form('name', nameFields(repository, at('name'))))}
      ${branches.total === 0 || repository.mirrorUrl !== null ? '' : part('Default branch', form('branch', branchFields(repository, { ...branches, ...at('branch') })))}
      ${part('Visibility', repository.visibility === 'private' ? makePublic(repository) : form('visibility', privateFields()))}
      ${part(
        'Collaborators',
        html`${collaborators.length === 0 ? html`<p class="quiet">No collaborators.</p>` : collaboratorList(collaborators, bare)}
          ${form('collaborators', collaboratorFields(at('collaborators')))}
          <p><a class="drawn-button" href="${repositoryPath(repository)}/people">Invite by link or email</a></p>`,
      )}
      ${branches.total === 0 ? '' : part('Builds', html`<p><a class="drawn-button" href="${buildSettingsPath(repository, repository.defaultBranch)}">Build settings</a></p>`)}
      ${part('Share the PDF', html`<p><a class="drawn-button" href="${repositoryPath(repository)}/settings/share">Share links and badge</a></p>`)}
      ${part('Template', form('template', templateFields(repository, template)))}
      ${part('Webhooks', html`<p><a class="drawn-button" href="${repositoryPath(repository)}/settings/webhooks">Manage webhooks</a></p>`)}
      ${repository.mirrorUrl === null ? '' : part('Mirror', html`<p><a class="drawn-button" href="${repositoryPath(repository)}/settings/mirror">Mirror settings</a></p>`)}
      ${part('Archive', form('archive', archiveFields(repository)))}
      ${isOwner(c, repository) ? part('Transfer', transferLink(repository)) : ''}
      ${part('Delete', form('delete', deleteFields(repository, at('delete'))))}
    </section>`
  const title = `Settings · ${repository.owner.login}/${repository.name}`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}

function part(title: string, content: Html): Html {
  return html`<section class="settings-part">
    <h2>${title}</h2>
    <div>${content}</div>
  </section>`
}

type FieldsAt = Pick<ReturnedForm, 'typed' | 'problems'>

function detailFields({ description }: ViewedRepository, { typed, problems }: FieldsAt): Html {
  return html`${formField({
      name: 'description',
      label: 'Description',
      autocomplete: 'off',
      value: typed['description'] ?? description ?? '',
      isOptional: true,
      problems,
    })}
    <p><button class="button">Save description</button></p>`
}

function nameFields({ name }: ViewedRepository, { typed, problems }: FieldsAt): Html {
  return html`${formField({
      name: 'new-name',
      label: 'New name',
      autocomplete: 'off',
      value: typed['new-name'] ?? name,
      problems,
      hint: 'In the browser, the old address redirects to the new one until another repository takes the name. Clones need the new address: git prints it.',
    })}
    <p><button class="button">Rename repository</button></p>`
}

function makePublic(repository: ViewedRepository): Html {
  return html`<p>Private: visible to the owner and collaborators.</p>
    <p><a class="drawn-button" href="${repositoryPath(repository)}/settings/visibility">Make public</a></p>`
}

function privateFields(): Html {
  return html`<p>Public: every branch, commit and PDF is visible to everyone.</p>
    <p><button class="button" name="visibility" value="private">Make private</button></p>`
}

function branchFields(
  { defaultBranch }: ViewedRepository,
  { branches, total, typed, problems }: OfferedBranches & FieldsAt,
): Html {
  const told = describedBy('branch', { hasHint: false, problems })
  const field =
    total > MAX_OFFERED
      ? html`<input
          id="branch"
          name="branch"
          value="${typed['branch'] ?? defaultBranch}"
          autocomplete="off"
          spellcheck="false"
          required
          ${told}
        />`
      : html`<select id="branch" name="branch" ${told}>
          ${orderBranches(branches).map(({ name }) => html`<option ${name === defaultBranch ? html`selected` : ''}>${name}</option>`)}
        </select>`
  return html`<p class="field"><label for="branch">Branch</label> ${fieldProblem('branch', problems)} ${field}</p>
    <p><button class="button">Change default branch</button></p>`
}

function collaboratorList(collaborators: readonly Collaborator[], form: (part: string, fields: Html) => Html): Html {
  return html`<table class="settings-table">
    <thead>
      <tr>
        <th scope="col">User</th>
        <th scope="col">Access</th>
        <th scope="col"><span class="visually-hidden">Remove</span></th>
      </tr>
    </thead>
    <tbody>
      ${collaborators.map(
        ({ permission, ...user }) =>
          html`<tr>
            <th scope="row">${avatar(user, 24)} <a href="/${user.login}">${user.login}</a></th>
            <td>${accessNames[permission]}</td>
            <td>
              ${form(
                'collaborators',
                html`<input type="hidden" name="login" value="${user.login}" />
                  <button class="plain-button" name="right" value="none" aria-label="Remove ${user.login}">
                    Remove
                  </button>`,
              )}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function collaboratorFields({ typed, problems }: FieldsAt): Html {
  return html`${formField({ name: 'login', label: 'Username', autocomplete: 'off', value: typed['login'] ?? '', problems })}
    <p class="field">
      <label for="right">Access</label>
      <select id="right" name="right">
        ${Object.entries(accessNames).map(([value, label]) => html`<option value="${value}" ${value === typed['right'] ? html`selected` : ''}>${capitalize(label)}</option>`)}
      </select>
    </p>
    <p class="quiet">
      Read: view and clone. Read and write: also push, edit, and create branches and tags. Admin: also change settings
      and collaborators, and delete the repository.
    </p>
    <p><button class="button">Add collaborator</button></p>`
}

function templateFields(repository: ViewedRepository, template: TemplateStatus): Html {
  if (template === 'none')
    return html`<p>Users who can read a template can create repositories from its files.</p>
      <p><button class="button" name="template" value="yes">Offer as a template</button></p>`
  return html`<p>
      This repository is a template${template === 'listed' ? ' in the template gallery' : ''}.
      <a href="${newFromPath(repository)}">Use this template</a>
    </p>
    <p><button class="button" name="template" value="no">Stop using as a template</button></p>`
}

function archiveFields({ isArchived }: ViewedRepository): Html {
  return isArchived
    ? html`<p>This repository is archived and read-only.</p>
        <p><button class="button" name="archived" value="no">Unarchive repository</button></p>`
    : html`<p>An archived repository is read-only: it can be viewed and cloned.</p>
        <p><button class="button" name="archived" value="yes">Archive repository</button></p>`
}

function isOwner(c: Context, { owner }: ViewedRepository): boolean {
  return requireViewer(c).user.id === owner.id
}

function transferLink(repository: ViewedRepository): Html {
  return html`<p>Another user becomes the owner. You keep read and write access.</p>
    <p><a class="drawn-button" href="${repositoryPath(repository)}/settings/transfer">Transfer repository</a></p>`
}

function deleteFields({ owner, name }: ViewedRepository, { typed, problems }: FieldsAt): Html {
  return html`<p>
      Moves the repository to the owner's trash, where it can be restored for 7 days. Its pages and share links stop
      working immediately.
    </p>
    ${formField({ name: 'name', label: `Type ${owner.login}/${name} to confirm`, autocomplete: 'off', value: typed['name'] ?? '', problems })}
    <p><button class="button">Delete repository</button></p>`
}
