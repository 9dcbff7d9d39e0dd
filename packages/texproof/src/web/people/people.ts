/** `/{owner}/{repo}/people`: the people of a repository, for its collaborators; administrators invite collaborators. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { accessNames } from '../../domain/access.ts'
import { hashSecretText } from '../../base/secret-text.ts'
import { canInviteWithoutAccount, describeRegistrationRequest } from '../../accounts/join/join.ts'
import { isEmail } from '../../accounts/users/add-user.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { parseId } from '../../domain/parse-id.ts'
import type { User } from '../../domain/types.ts'
import { writeCollaboratorInvitationEmail } from '../../mail/account-emails.ts'
import type { Deps } from '../../operations/deps.ts'
import { invitationDays, inviteCollaborator, leaveRepository } from '../../operations/repository/invite-collaborator.ts'
import { removeCollaborator } from '../../operations/repository/change-repository.ts'
import type { Collaborator } from '../../store/repositories/repositories.ts'
import type { RepositoryInvitation } from '../../store/repositories/repository-invitations.ts'
import { NotFound } from '../session/errors.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { sendPage } from '../shell/page.ts'
import { findViewedRepository, type ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'
import { avatar } from '../ui/avatar.ts'
import { backLink } from '../ui/back-link.ts'
import { formField } from '../ui/form/form-field.ts'
import { formProblems, noProblems, toFormProblems, type FormProblems } from '../ui/form/form-problems.ts'
import { formatDate } from '../ui/format/format-date.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { capitalize } from '../../domain/text/capitalize.ts'
import { redirectWithValue, takeValue } from '../session/cookies.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** The form, and the link of a new invitation, which is shown once. */
interface InvitationForm {
  readonly email: string
  readonly permission: 'pull' | 'push'
  readonly problems: FormProblems
  readonly status: 200 | 422 | 429
  readonly made: string | null
}

const UNTOUCHED: InvitationForm = {
  email: '',
  permission: 'push',
  problems: noProblems,
  status: 200,
  made: null,
}

/** The page. */
export async function showPeople(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps, { caller: findSignedIn(c) })
  const { user } = requireViewer(c)
  await requireMember(deps, repository, user)
  const made = repository.permission === 'admin' ? await findMadeLink(c, deps, repository) : null
  return sendPeople(c, deps, { repository, user, form: { ...UNTOUCHED, made } })
}

/** The link of the invitation that was created on the page before; null = none. */
async function findMadeLink(c: Context, { config, store }: Deps, repository: ViewedRepository): Promise<string | null> {
  const text = takeValue(c, 'made')
  const invitation = text === null ? null : await store.repositoryInvitations.findByHash(hashSecretText(text))
  return invitation?.repositoryId === repository.id ? linkOf(config, text ?? '') : null
}

function linkOf({ baseUrl }: Deps['config'], text: string): string {
  return `${baseUrl}/settings/invitations/${text}`
}

/** Creates an invitation. The page that follows shows its link once. */
export async function postInvitation(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const { config, mail, store } = deps
  const email = readField(c, 'email').trim()
  const permission = readField(c, 'right') === 'pull' ? 'pull' : 'push'
  const refuse = (problems: FormProblems, status: 422 | 429 = 422): Promise<Response> =>
    sendPeople(c, deps, { repository, user: actor, form: { ...UNTOUCHED, email, permission, problems, status } })
  if (email !== '' && !isEmail(email))
    return refuse({ email: 'Invalid email address. Use an address such as bob@uni.example.' })
  // An account is only for the person who reads the email, so the page does not show the link.
  const createsAccount = email !== '' && canInviteWithoutAccount(await describeRegistrationRequest(deps, ''))
  const outcome = await inviteCollaborator(
    store,
    { repository, actor },
    { email: email === '' ? null : email, permission, createsAccount },
  )
  if (outcome.kind === 'too-many') return refuse({ form: 'There are too many pending invitations. Revoke one first.' })
  if (outcome.kind === 'throttled') return refuse({ form: retryAfter(c, outcome.waitMs) }, 429)
  if (email !== '') {
    const name = `${repository.owner.login}/${repository.name}`
    mail.send(
      writeCollaboratorInvitationEmail({
        to: email,
        from: actor.login,
        host: config.name,
        repository: name,
        link: linkOf(config, outcome.text),
        createsAccount,
      }),
    )
  }
  const page = `${repositoryPath(repository)}/people`
  return createsAccount
    ? redirectWithNotice(c, page, 'invitation-sent')
    : redirectWithValue(c, page, 'made', outcome.text)
}

/** Revokes an invitation. */
export async function postRevokeInvitation(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  const id = parseId(c.req.param('id'))
  if (id === null || !(await deps.store.repositoryInvitations.remove(repository.id, id))) throw new NotFound()
  return redirectWithNotice(c, `${repositoryPath(repository)}/people`, 'invitation-revoked')
}

/** Removes a collaborator. */
export async function postRemove(c: Context, deps: Deps): Promise<Response> {
  const change = await requireAdministered(c, deps)
  await removeCollaborator(deps, change, readField(c, 'login'))
  return redirectWithNotice(c, `${repositoryPath(change.repository)}/people`, 'collaborator-removed')
}

/** Ends the viewer's own collaboration. */
export async function postLeave(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps, { caller: findSignedIn(c) })
  const { user: actor } = requireViewer(c)
  if (!(await leaveRepository(deps.store, { repository, actor }))) throw new NotFound()
  return redirectWithNotice(c, '/', 'repository-left')
}

/** @throws NotFound for everyone but the owner and collaborators. */
async function requireMember({ store }: Deps, { id, owner, permission }: ViewedRepository, user: User): Promise<void> {
  if (user.id === owner.id || permission === 'admin') return
  if ((await store.repositories.findCollaboration(id, user.id)) === null) throw new NotFound()
}

interface PeopleView {
  readonly repository: ViewedRepository
  readonly user: User
  readonly form: InvitationForm
}

async function sendPeople(
  c: Context,
  { mail, store }: Deps,
  { repository, user, form }: PeopleView,
): Promise<Response> {
  const isAdmin = repository.permission === 'admin'
  const [collaborators, invitations] = await Promise.all([
    store.repositories.listCollaborators(repository.id),
    isAdmin ? store.repositoryInvitations.listOfRepository(repository.id) : [],
  ])
  const isCollaborator = collaborators.some(({ login }) => login === user.login)
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${repository.permission === 'admin' ? backLink({ href: `${repositoryPath(repository)}/settings`, label: 'Settings' }) : ''}
    <section class="settings-form">
      <h1>Collaborators</h1>
      ${memberTable(c, repository, collaborators)}
      ${isAdmin ? inviteForm(c, repository, { ...form, isEmailed: mail.isConfigured }) : ''}
      ${
        isCollaborator
          ? html`<h2>Leave repository</h2>
              <form method="post" action="${repositoryPath(repository)}/people/leave">
                ${formToken(c)}
                <p>You will lose access to ${repository.name}. Your commits remain.</p>
                <p><button class="drawn-button">Leave repository</button></p>
              </form>`
          : ''
      }
    </section>
    ${isAdmin ? openInvitations(c, repository, invitations) : ''}`
  c.header('cache-control', 'no-store')
  const title = `Collaborators ·  ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: form.status })
}

/** The owner and the collaborators; administrators can remove the latter. */
function memberTable(c: Context, repository: ViewedRepository, collaborators: readonly Collaborator[]): Html {
  const isAdmin = repository.permission === 'admin'
  const row = (user: Omit<Collaborator, 'permission'>, access: string, action: Html | ''): Html =>
    html`<tr>
      <th scope="row">${avatar(user, 24)} <a href="/${user.login}">${user.login}</a></th>
      <td>${access}</td>
      ${isAdmin ? html`<td>${action}</td>` : ''}
    </tr>`
  const remove = (login: string): Html =>
    html`<form method="post" action="${repositoryPath(repository)}/people/remove">
      ${formToken(c)}
      <button class="plain-button" name="login" value="${login}" aria-label="Remove ${login}">Remove</button>
    </form>`
  return html`<table class="settings-table">
    <thead>
      <tr>
        <th scope="col">User</th>
        <th scope="col">Access</th>
        ${isAdmin ? html`<th scope="col"><span class="visually-hidden">Remove</span></th>` : ''}
      </tr>
    </thead>
    <tbody>
      ${row(repository.owner, 'owner', '')}
      ${collaborators.map(({ permission, ...user }) => row(user, accessNames[permission], isAdmin ? remove(user.login) : ''))}
    </tbody>
  </table>`
}

function inviteForm(
  c: Context,
  repository: ViewedRepository,
  { email, permission, problems, made, isEmailed }: InvitationForm & { readonly isEmailed: boolean },
): Html {
  return html`<h2>Invite</h2>
    ${
      made === null
        ? ''
        : html`<div class="banner banner-good made-link" role="status">
            <label for="made">Copy this link now. It is shown only once.</label>
            <span class="copyable">
              <input id="made" type="text" readonly value="${made}" />
              <button type="button" class="plain-button" data-copy="made" hidden>${icon('copy')} Copy</button>
            </span>
          </div>`
    }
    <form method="post" action="${repositoryPath(repository)}/people">
      ${formProblems(isEmailed ? problems : toFormProblems(problems))} ${formToken(c)}
      ${
        isEmailed
          ? formField({
              name: 'email',
              label: 'Email',
              autocomplete: 'off',
              value: email,
              isOptional: true,
              problems,
              hint: 'Leave empty to create a link and send it yourself.',
            })
          : html`<p>This host does not send email. Create a link and send it yourself.</p>`
      }
      <p class="field">
        <label for="right">Access</label>
        <select id="right" name="right">
          ${(['push', 'pull'] as const).map((right) => html`<option value="${right}" ${right === permission ? html`selected` : ''}>${capitalize(accessNames[right])}</option>`)}
        </select>
      </p>
      <p class="quiet">
        Read: view and clone. Read and write: also push, edit, and create branches and tags. Admins are added in the
        settings.
      </p>
      <p class="quiet">The link works once and expires after ${invitationDays} days.</p>
      <p><button class="button">Create invitation</button></p>
    </form>`
}

function openInvitations(
  c: Context,
  repository: ViewedRepository,
  invitations: readonly RepositoryInvitation[],
): Html | '' {
  if (invitations.length === 0) return ''
  return html`<section class="repository-settings">
    <h2>Pending invitations</h2>
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Invitation</th>
          <th scope="col">Access</th>
          <th scope="col">Expires</th>
          <th scope="col"><span class="visually-hidden">Revoke</span></th>
        </tr>
      </thead>
      <tbody>
        ${invitations.map(
          ({ id, email, permission, expiresAt }) =>
            html`<tr>
              <th scope="row">${email ?? 'Link'}</th>
              <td data-label="Access">${accessNames[permission]}</td>
              <td class="one-line" data-label="Expires">${formatDate(expiresAt)}</td>
              <td>
                <form method="post" action="${repositoryPath(repository)}/people/invitations/${id}/revoke">
                  ${formToken(c)}
                  <button class="plain-button" aria-label="Revoke the invitation of ${email ?? `link ${id}`}">
                    Revoke
                  </button>
                </form>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`
}
