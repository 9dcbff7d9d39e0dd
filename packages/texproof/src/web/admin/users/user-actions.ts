/** The actions on an account. Those that lose something have a page that asks first. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { NotFound } from '../../session/errors.ts'
import { formToken } from '../../session/form.ts'
import type { Notice } from '../../session/notice.ts'
import { requireAdmin } from '../../session/viewer.ts'
import type { Html } from '../../ui/html.ts'
import { sendAdminPage } from '../admin-page.ts'

interface Question {
  readonly title: (login: string) => string
  readonly effect: (login: string) => string
  /** Label of the button. */
  readonly label: string
}

interface UserAction {
  readonly notice: Notice
  /** null = done without a question. */
  readonly question: Question | null
}

/** Actions by their name in forms and addresses. */
export const userActions = {
  administrator: {
    notice: 'administrator-made',
    question: {
      title: (login) => `Make ${login} an administrator?`,
      effect: (login) =>
        `${login} can then change all accounts, repositories and settings of this host. The role cannot be removed; an ` +
        'administrator can only be disabled.',
      label: 'Make administrator',
    },
  },
  factors: {
    notice: 'factors-reset',
    question: {
      title: (login) => `Reset two-factor authentication of ${login}?`,
      effect: (login) =>
        `This turns off two-factor authentication and removes all passkeys of ${login}. They can then sign in with ` +
        'the password alone.',
      label: 'Reset two-factor',
    },
  },
  disable: {
    notice: 'user-disabled',
    question: {
      title: (login) => `Disable ${login}?`,
      effect: (login) =>
        `${login} is signed out everywhere, and all access tokens stop working. Repositories do not change. You can ` +
        'enable the account again.',
      label: 'Disable account',
    },
  },
  enable: { notice: 'user-enabled', question: null },
  delete: {
    notice: 'account-deleted',
    question: {
      title: (login) => `Delete ${login}?`,
      effect: (login) =>
        `This deletes the account ${login} with its access tokens and share links, and permanently deletes the ` +
        'repositories in its trash. It cannot be undone, and the name becomes free for others. Commits stay.',
      label: 'Delete account',
    },
  },
} as const satisfies Record<string, UserAction>

export type UserActionName = keyof typeof userActions

export function isUserAction(name: string): name is UserActionName {
  return Object.hasOwn(userActions, name)
}

/** Address of the list of accounts, filtered by a part of the name. */
export function usersPath(text: string): string {
  return text === '' ? '/admin/users' : `/admin/users?${new URLSearchParams({ q: text })}`
}

/** `GET /admin/users/{login}/{action}?q=`: what the action does, and the button to confirm. */
export async function showUserAction(c: Context, { store }: Deps): Promise<Response> {
  requireAdmin(c)
  const user = await store.users.findByLogin(c.req.param('login') ?? '')
  const action = c.req.param('action') ?? ''
  const question = isUserAction(action) ? userActions[action].question : null
  if (user === null || question === null) throw new NotFound(user === null ? 'Account not found.' : 'Unknown action.')
  const back = usersPath(c.req.query('q') ?? '')
  const main = html`<p>${question.effect(user.login)}</p>
    <form method="post" action="/admin/users/${user.login}">
      ${formToken(c)} ${filterField(c.req.query('q') ?? '')}
      <p class="actions">
        <button class="button" name="action" value="${action}">${question.label}</button> <a href="${back}">Cancel</a>
      </p>
    </form>`
  return sendAdminPage(c, {
    tab: 'users',
    title: question.title(user.login),
    back: { href: back, label: 'Users' },
    main,
  })
}

/** The filter of the list, for the page after a form. */
export function filterField(text: string): Html | '' {
  return text === '' ? '' : html`<input type="hidden" name="q" value="${text}" />`
}
