import type { Context } from 'hono'
import { html } from 'hono/html'

import { hashSecretText } from '../../../base/secret-text.ts'
import { makeInvite } from '../../../accounts/join/invite.ts'
import { makeResetCode } from '../../../accounts/credentials/reset-password.ts'
import type { Deps } from '../../../operations/deps.ts'
import type { User } from '../../../domain/types.ts'
import type { UserActivity } from '../../../store/admin/user-queries.ts'
import { writeInvitationEmail } from '../../../mail/account-emails.ts'
import { isEmail } from '../../../accounts/users/add-user.ts'
import { sendAdminPage } from '../admin-page.ts'
import { avatar } from '../../ui/avatar.ts'
import { formProblems, isRefused, noProblems } from '../../ui/form/form-problems.ts'
import type { FormProblems } from '../../ui/form/form-problems.ts'
import type { Html } from '../../ui/html.ts'
import { icon } from '../../ui/icon.ts'
import { pageLinks, readPage } from '../../ui/page-links.ts'
import { nameFilter } from '../name-filter.ts'
import { applyUserAction } from './apply-user-action.ts'
import { filterField, isUserAction, usersPath } from './user-actions.ts'
import type { UserActionName } from './user-actions.ts'
import { formField } from '../../ui/form/form-field.ts'
import { timeAgo } from '../../ui/format/time-ago.ts'
import { NotFound } from '../../session/errors.ts'
import { reauthenticate } from '../../shell/reauthenticate.ts'
import { formToken, readField } from '../../session/form.ts'
import { requireAdmin } from '../../session/viewer.ts'
import { invitations } from './invitations.ts'
import { redirectWithValue, takeValue } from '../../session/cookies.ts'
import { redirectWithNotice } from '../../session/notice.ts'

const PER_PAGE = 100

/** A new link and its purpose: shown once. */
interface MadeLink {
  readonly label: string
  readonly address: string
}

interface UsersView {
  readonly made: MadeLink | null
  /** Recipient in the form that is shown again. */
  readonly to?: string
  readonly problems: FormProblems
}

/** `GET /admin/users?q=&page=`: the accounts whose name contains the text. */
export async function showAdminUsers(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  return sendUsers(c, deps, { made: await findMadeLink(c, deps), problems: noProblems })
}

/** The link for an invitation or a new password that was created on the page before; null = none. */
async function findMadeLink(c: Context, { store, config, mail }: Deps): Promise<MadeLink | null> {
  const code = takeValue(c, 'made')
  if (code === null) return null
  const hash = hashSecretText(code)
  const reset = await store.codes.find(hash, 'reset')
  const user = reset?.userId ? await store.users.findById(reset.userId) : null
  if (user !== null)
    return {
      label: `Password reset link for ${user.login}, valid for 1 day`,
      address: `${config.baseUrl}/reset?code=${code}`,
    }
  const invite = await store.codes.find(hash, 'invite')
  if (invite === null) return null
  const sent = invite.email !== null && mail.isConfigured ? `, sent to ${invite.email}` : ''
  return { label: `Invitation for one account, valid for 7 days${sent}`, address: joinLink(config, code) }
}

function joinLink({ baseUrl }: Deps['config'], code: string): string {
  return `${baseUrl}/join?code=${code}`
}

/** `POST /admin/users/invite`: a link that creates one account, shown once on the next page, and emailed to an address. */
export async function postInvite(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireAdmin(c)
  const { store, config, mail } = deps
  const to = readField(c, 'email').trim()
  if (to !== '' && !isEmail(to))
    return sendUsers(c, deps, {
      made: null,
      to,
      problems: { email: 'Invalid email address. Use an address such as alice@uni.example.' },
    })
  const code = await makeInvite(store, { createdBy: user.id, email: to === '' ? null : to })
  if (to !== '' && mail.isConfigured)
    mail.send(writeInvitationEmail({ to, from: user.login, host: config.name, link: joinLink(config, code) }))
  return redirectWithValue(c, usersPath(readField(c, 'q')), 'made', code)
}

/** `POST /admin/users/{login}`: changes an account. The page that follows has the filter of the page before. */
export async function postUserChange(c: Context, deps: Deps): Promise<Response> {
  const { user: admin } = requireAdmin(c)
  const { store } = deps
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const user = await store.users.findByLogin(c.req.param('login') ?? '')
  if (user === null) throw new NotFound('Account not found.')
  const action = readField(c, 'action')
  if (action === 'reset') {
    const code = await makeResetCode(store, { user, createdBy: admin.id })
    return redirectWithValue(c, usersPath(readField(c, 'q')), 'made', code)
  }
  if (!isUserAction(action)) throw new NotFound('Unknown action.')
  const outcome = await applyUserAction(c, deps, { user, action })
  return 'notice' in outcome
    ? redirectWithNotice(c, usersPath(readField(c, 'q')), outcome.notice)
    : sendUsers(c, deps, { made: null, problems: { form: outcome.problem } })
}

async function sendUsers(c: Context, { store, mail }: Deps, { made, to = '', problems }: UsersView): Promise<Response> {
  const text = c.req.query('q') ?? readField(c, 'q')
  const page = readPage(c.req.query('page'))
  const [users, total] = await Promise.all([
    store.users.list({ text, limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    store.users.count(text),
  ])
  const ids = users.map(({ id }) => id)
  const [guarded, activity] = await Promise.all([
    store.secondFactors.findGuarded(ids),
    store.admin.findUserActivity(ids),
  ])
  const main = html`${made === null ? '' : madeLink(made)} ${formProblems(problems)}
    <h2>Invite a user</h2>
    <form method="post" action="/admin/users/invite" class="settings-form">
      ${formToken(c)} ${filterField(text)}
      ${formField({
        name: 'email',
        label: 'Email address',
        type: 'email',
        value: to,
        problems,
        autocomplete: 'off',
        isOptional: true,
        hint: mail.isConfigured
          ? 'The link is sent to this address. Leave empty to copy and send it yourself.'
          : 'Shown in the list of invitations. This host does not send email: copy the link and send it yourself.',
      })}
      <p><button class="button">Create invitation</button></p>
    </form>
    ${await invitations(c, { store }, text)}
    <h2>Accounts</h2>
    ${nameFilter({ action: '/admin/users', label: 'Username', text })}
    ${
      users.length === 0
        ? html`<p class="quiet">No users match "${text}". <a href="/admin/users">Show all</a></p>`
        : userTable(
            users.map((user) =>
              userRow(c, { user, text, isGuarded: guarded.has(user.id), activity: activity.get(user.id) ?? null }),
            ),
          )
    }
    ${pageLinks({ page, perPage: PER_PAGE, total, href: (n) => `/admin/users?${new URLSearchParams({ q: text, page: String(n) })}` })}`
  return sendAdminPage(c, { tab: 'users', title: 'Users', main, status: isRefused(problems) ? 422 : 200 })
}

function madeLink({ label, address }: MadeLink): Html {
  return html`<div class="banner banner-good" role="status">
    <p class="field token-text">
      <label for="made">${label}. Copy the link now: it is shown only once.</label>
      <input id="made" type="text" readonly value="${address}" />
      <button type="button" class="plain-button" data-copy="made" hidden>${icon('copy')} Copy</button>
    </p>
  </div>`
}

function userTable(rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Users">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">User</th>
          <th scope="col">Since</th>
          <th scope="col">Last seen</th>
          <th scope="col" class="numeric">Repositories</th>
          <th scope="col">Status</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

interface UserRow {
  readonly user: User
  /** Filter of the list. */
  readonly text: string
  readonly isGuarded: boolean
  readonly activity: UserActivity | null
}

function userRow(c: Context, { user, text, isGuarded, activity }: UserRow): Html {
  const { login, createdAt, isAdmin, isDisabled } = user
  const path = `/admin/users/${login}`
  const query = text === '' ? '' : `?${new URLSearchParams({ q: text })}`
  const action = (name: 'reset' | 'enable', label: string): Html =>
    html`<button class="plain-button" name="action" value="${name}" aria-label="${label}: ${login}">${label}</button>`
  const question = (name: UserActionName, label: string): Html =>
    html`<a href="${path}/${name}${query}" aria-label="${label}: ${login}">${label}…</a>`
  const state = [isAdmin ? 'administrator' : null, isDisabled ? 'disabled' : null].filter((word) => word !== null)
  return html`<tr>
    <th scope="row">${avatar(user, 24)} <a href="/${login}">${login}</a></th>
    <td data-label="Since">${timeAgo(createdAt)}</td>
    <td data-label="Last seen">
      ${activity === null || activity.lastSeenAt === null ? html`<span class="quiet">never</span>` : timeAgo(activity.lastSeenAt)}
    </td>
    <td class="numeric" data-label="Repositories">
      <a
        href="/admin/repos?q=${encodeURIComponent(`${login}/`)}"
        aria-label="Repositories of ${login}: ${activity?.repositoryCount ?? 0}"
        >${activity?.repositoryCount ?? 0}</a
      >
    </td>
    <td class="one-line">${state.join(', ')}</td>
    <td>
      <form method="post" action="${path}" class="actions">
        ${formToken(c)} ${filterField(text)}
        <a href="${path}/quota" aria-label="Usage of ${login}">Usage</a>
        ${action('reset', 'Reset link')} ${isAdmin || isDisabled ? '' : question('administrator', 'Make administrator')}
        ${isGuarded ? question('factors', 'Reset two-factor') : ''}
        ${isDisabled ? html`${action('enable', 'Enable')} ${question('delete', 'Delete')}` : question('disable', 'Disable')}
      </form>
    </td>
  </tr>`
}
