/** `/settings/profile/delete`: what deleting the account removes, and the form to do it. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { deleteAccount } from '../../operations/account/delete-account.ts'
import type { DeleteAccountRefusal } from '../../operations/account/delete-account.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { ListPage, SharedRepository } from '../../store/repositories/repository-lists.ts'
import { formToken, readField } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { clearSessionCookie } from '../session/session.ts'
import { requireViewer } from '../session/viewer.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField } from '../ui/form/form-field.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'

const PROFILE = { href: '/settings/profile', label: 'Profile' }
/** Repositories that are named on the page. */
const NAMED = 20

const REFUSALS: Readonly<Record<DeleteAccountRefusal, string>> = {
  'owns-repositories': 'You own a repository, or one is still being created or deleted. Your account was not deleted.',
  'last-administrator': 'You are the only administrator. Your account was not deleted.',
}

/** The page. */
export async function showDeleteAccount(c: Context, deps: Deps): Promise<Response> {
  return sendDeleteAccount(c, deps, noProblems)
}

/** `POST` of the same: deletes the account and ends the session. */
export async function postDeleteAccount(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  if (readField(c, 'login').trim() !== user.login)
    return sendDeleteAccount(c, deps, { login: `Type ${user.login} to delete your account. Nothing was deleted.` })
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const refusal = await deleteAccount(deps, { user, actor: user })
  if (refusal !== null) return sendDeleteAccount(c, deps, { form: REFUSALS[refusal] })
  clearSessionCookie(c)
  return redirectWithNotice(c, '/', 'account-deleted')
}

async function sendDeleteAccount(c: Context, { store }: Deps, problems: FormProblems): Promise<Response> {
  const { user } = requireViewer(c)
  const [owned, trashed, isLast] = await Promise.all([
    store.repositories.listOfMember(user.id, {
      filter: { isOwner: true, isCollaborator: false, visibility: null },
      order: { by: 'full_name', direction: 'asc' },
      window: { offset: 0, limit: NAMED },
    }),
    store.repositories.listTrashed(user.id),
    store.users.isLastAdministrator(user.id),
  ])
  const main = html`${formProblems(problems)}
  ${isLast ? lastAdministrator() : owned.total > 0 ? ownedRepositories(owned) : deletionForm(c, { problems, isTrashEmpty: trashed.length === 0 })}`
  const status = isRefused(problems) ? 422 : 200
  return sendSettingsPage(c, { tab: 'profile', title: 'Delete account', back: PROFILE, main, status })
}

function lastAdministrator(): Html {
  return html`<p>
    You are the only administrator. <a href="/admin/users">Make another user an administrator</a> first.
  </p>`
}

function ownedRepositories({ items, total }: ListPage<SharedRepository>): Html {
  return html`<p>Transfer or delete your repositories first:</p>
    <ul>
      ${items.map(({ repository }) => html`<li>${settingsLink(repository)}</li>`)}
      ${total > items.length ? html`<li>${total - items.length} more</li>` : ''}
    </ul>`
}

function settingsLink({ owner, name }: Repository): Html {
  return html`<a href="/${owner.login}/${name}/settings">${name}</a>`
}

function deletionForm(
  c: Context,
  { problems, isTrashEmpty }: { readonly problems: FormProblems; readonly isTrashEmpty: boolean },
): Html {
  const { login } = requireViewer(c).user
  return html`<p>
      This deletes your profile, your access tokens, the share links that you created in repositories of others, and
      your access to those repositories. It cannot be undone, and the name ${login} becomes free for others.
    </p>
    ${isTrashEmpty ? '' : html`<p>Repositories in your <a href="/settings/trash">trash</a> are deleted permanently.</p>`}
    <p>Your commits in repositories of others stay, with the name and email address in them.</p>
    <form method="post" action="/settings/profile/delete" class="settings-form">
      ${formToken(c)} ${formField({ name: 'login', label: `Type ${login} to confirm`, autocomplete: 'off', problems })}
      <p><button class="button">Delete account</button></p>
    </form>`
}
