import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { quotaFields, type QuotaField } from '../../../domain/quota-fields.ts'
import type { User } from '../../../domain/types.ts'
import { findQuotaUse } from '../../../accounts/users/find-quotas.ts'
import { parseQuotas, setQuota } from '../../../accounts/users/set-quota.ts'
import { formToken, readField } from '../../session/form.ts'
import { requireAdmin } from '../../session/viewer.ts'
import { NotFound } from '../../session/errors.ts'
import { sendAdminPage } from '../admin-page.ts'
import { formProblems, isRefused, noProblems, type FormProblems } from '../../ui/form/form-problems.ts'
import { quotaTable } from '../../ui/quota-table.ts'
import { formField } from '../../ui/form/form-field.ts'
import { redirectWithNotice } from '../../session/notice.ts'

/** `GET /admin/users/{login}/quota`: what a user uses, and the limits set for this user. */
export async function showUserQuota(c: Context, deps: Deps): Promise<Response> {
  requireAdmin(c)
  const user = await findUser(c, deps)
  const overrides = await deps.store.quotas.findOverrides(user.id)
  return sendQuota(c, deps, {
    user,
    textOf: ({ name }) => String(overrides[name] ?? ''),
    problems: noProblems,
  })
}

/** `POST /admin/users/{login}/quota`: sets the limits of a user; an empty field means the limit of the host. */
export async function postUserQuota(c: Context, deps: Deps): Promise<Response> {
  const actorId = requireAdmin(c).user.id
  const user = await findUser(c, deps)
  const texts = new Map<string, string>()
  for (const { key } of quotaFields) texts.set(key, readField(c, key))
  const textOf = ({ key }: QuotaField): string => texts.get(key) ?? ''
  const parsed = parseQuotas(textOf)
  if (parsed.kind === 'invalid') {
    const problems = Object.fromEntries(
      parsed.fields.map(({ key, label, expects }) => [key, `${label} must be ${expects}, or empty.`]),
    )
    return sendQuota(c, deps, { user, textOf, problems })
  }
  await setQuota(deps.store, { user, overrides: parsed.overrides, actorId })
  return redirectWithNotice(c, `/admin/users/${user.login}/quota`, 'saved')
}

async function findUser(c: Context, { store }: Deps): Promise<User> {
  const user = await store.users.findByLogin(c.req.param('login') ?? '')
  if (user === null) throw new NotFound('Account not found.')
  return user
}

async function sendQuota(
  c: Context,
  deps: Deps,
  {
    user,
    textOf,
    problems,
  }: { readonly user: User; readonly textOf: (field: QuotaField) => string; readonly problems: FormProblems },
): Promise<Response> {
  const main = html`${quotaTable(await findQuotaUse(deps, user.id))}
    <h2>Limits of ${user.login}</h2>
    <p>Leave a field empty to use the limit of the host.</p>
    ${formProblems(problems)}
    <form method="post" action="/admin/users/${user.login}/quota" class="settings-form">
      ${formToken(c)}
      ${quotaFields.map((field) =>
        formField({
          name: field.key,
          label: field.label,
          value: textOf(field),
          problems,
          autocomplete: 'off',
          isOptional: true,
          hint: `Enter ${field.expects}.`,
        }),
      )}
      <p><button class="button">Save limits</button></p>
    </form>`
  const title = `Usage of ${user.login}`
  return sendAdminPage(c, {
    tab: 'users',
    title,
    back: { href: '/admin/users', label: 'Users' },
    main,
    status: isRefused(problems) ? 422 : 200,
  })
}
