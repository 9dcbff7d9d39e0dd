import type { Context } from 'hono'
import { html } from 'hono/html'

import { hasPassword } from '../../../accounts/confirm-owner.ts'
import { changeProfile } from '../../../operations/change-profile.ts'
import type { ChangeProfileRefusal } from '../../../operations/change-profile.ts'
import type { Deps } from '../../../deps.ts'
import { sendSettingsPage } from '../../components/settings-page.ts'
import { formField, formProblem } from '../../components/sign-form.ts'
import { formToken, readField } from '../../access/session.ts'
import { requireViewer } from '../../access/viewer.ts'
import { avatarForm, changeAvatar } from './avatar-form.ts'
import { changeSentEmail, emailForm } from './email-form.ts'

const PROBLEMS: Readonly<Record<ChangeProfileRefusal, string>> = {
  'too-long': 'A name has 100 characters at most, and the lines about you 500.',
}

/** What stands in the forms, and why one of them came back. */
interface ProfileForms {
  readonly name: string
  readonly bio: string
  readonly email: string
  readonly problem: string | null
  readonly avatarProblem: string | null
  readonly emailProblem: string | null
  readonly isSaved: boolean
  readonly status: 200 | 422 | 429
}

/** `GET /settings/profile`. */
export async function showProfileSettings(c: Context, deps: Deps): Promise<Response> {
  return sendProfile(c, deps, { isSaved: c.req.query('saved') === 'yes' })
}

/** `POST /settings/profile/avatar`: another picture. */
export async function postAvatar(c: Context, deps: Deps): Promise<Response> {
  const refusal = await changeAvatar(c, deps)
  if (refusal === null) return sendSaved(c)
  return sendProfile(c, deps, { avatarProblem: refusal.problem, status: refusal.status })
}

/** `POST /settings/profile/email`: another address. */
export async function postEmail(c: Context, deps: Deps): Promise<Response> {
  const refusal = await changeSentEmail(c, deps)
  if (refusal === null) return sendSaved(c)
  const email = await readField(c, 'email')
  return sendProfile(c, deps, { emailProblem: refusal.problem, email, status: refusal.status })
}

/** `POST /settings/profile`. */
export async function postProfile(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const [name, bio] = await Promise.all([readField(c, 'name'), readField(c, 'bio')])
  const refusal = await changeProfile(deps.store, user, { name, bio })
  return refusal === null ? sendSaved(c) : sendProfile(c, deps, { name, bio, problem: PROBLEMS[refusal], status: 422 })
}

function sendSaved(c: Context): Response {
  return c.redirect('/settings/profile?saved=yes', 303)
}

/** The page with what is stored, but for what a form that came back holds. */
async function sendProfile(c: Context, { store }: Deps, returned: Partial<ProfileForms>): Promise<Response> {
  const { user } = requireViewer(c)
  const stored = { name: user.name ?? '', bio: user.bio ?? '', email: user.email ?? '' }
  const fine = { problem: null, avatarProblem: null, emailProblem: null, isSaved: false, status: 200 } as const
  const forms: ProfileForms = { ...stored, ...fine, ...returned }
  const { name, bio, email, problem, avatarProblem, emailProblem, isSaved, status } = forms
  const asksPassword = await hasPassword(store, user)
  const main = html`${isSaved ? html`<p class="banner banner-good" role="status">Saved.</p>` : ''}
    ${avatarForm(c, user, avatarProblem)}
    <section aria-labelledby="about">
      <h2 id="about">About you</h2>
      ${formProblem(problem)}
      <form method="post" action="/settings/profile" class="settings-form">
        ${formToken(c)}
        ${formField({ name: 'name', label: 'Name', autocomplete: 'name', value: name, hint: 'As it stands on a paper.', isOptional: true })}
        <p class="field">
          <label for="bio">A few lines about you</label>
          <textarea id="bio" name="bio" rows="3" maxlength="500">${bio}</textarea>
        </p>
        <p><button class="button">Save profile</button></p>
      </form>
    </section>
    ${emailForm(c, { email, problem: emailProblem, asksPassword })}`
  return sendSettingsPage(c, { tab: 'profile', title: 'Profile', main, status })
}
