import type { Context } from 'hono'
import { html } from 'hono/html'

import { changeProfile } from '../../accounts/users/change-profile.ts'
import type { ChangeProfileRefusal } from '../../accounts/users/change-profile.ts'
import type { Deps } from '../../operations/deps.ts'
import { describedBy, fieldProblem, formProblems, noProblems, toProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendSettingsPage } from '../shell/settings-page.ts'
import { formField } from '../ui/form/form-field.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { avatarForm, changeAvatar } from './avatar-form.ts'
import { changeSentEmail, emailForm, resendSentEmail } from './email-form.ts'
import { redirectWithNotice } from '../session/notice.ts'

const PROBLEMS: Readonly<Record<ChangeProfileRefusal, FormProblems>> = {
  'long-name': { name: 'Use at most 100 characters.' },
  'long-bio': { bio: 'Use at most 500 characters.' },
}

/** Values of the forms, and the problems of a refused one. */
interface ProfileForms {
  readonly name: string
  readonly bio: string
  readonly email: string
  readonly problems: FormProblems
  readonly avatarProblems: FormProblems
  readonly emailProblems: FormProblems
  readonly status: 200 | 422 | 429
}

/** `GET /settings/profile`. */
export async function showProfileSettings(c: Context, deps: Deps): Promise<Response> {
  return sendProfile(c, deps, {})
}

/** `POST /settings/profile/avatar`: changes the avatar. */
export async function postAvatar(c: Context, deps: Deps): Promise<Response> {
  const refusal = await changeAvatar(c, deps)
  if (refusal === null) return sendSaved(c)
  return sendProfile(c, deps, { avatarProblems: toProblems(refusal), status: refusal.status })
}

/** `POST /settings/profile/email`: changes the address, after verification if this host sends email. */
export async function postEmail(c: Context, deps: Deps): Promise<Response> {
  const question = await reauthenticate(c, deps)
  if (question !== null) return question
  const refusal = await changeSentEmail(c, deps)
  if (refusal === 'changed') return sendSaved(c)
  if (refusal === 'waits') return c.redirect('/settings/profile', 303)
  const email = readField(c, 'email')
  return sendProfile(c, deps, { emailProblems: toProblems(refusal), email, status: refusal.status })
}

/** `POST /settings/profile/email/again`: sends the verification email again. */
export async function postEmailAgain(c: Context, deps: Deps): Promise<Response> {
  const refusal = await resendSentEmail(c, deps)
  if (typeof refusal === 'string') return c.redirect('/settings/profile', 303)
  return sendProfile(c, deps, { emailProblems: toProblems(refusal), status: refusal.status })
}

/** `POST /settings/profile`. */
export async function postProfile(c: Context, deps: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const [name, bio] = [readField(c, 'name'), readField(c, 'bio')]
  const refusal = await changeProfile(deps.store, user, { name, bio })
  return refusal === null ? sendSaved(c) : sendProfile(c, deps, { name, bio, problems: PROBLEMS[refusal], status: 422 })
}

function sendSaved(c: Context): Response {
  return redirectWithNotice(c, '/settings/profile', 'saved')
}

/** The page with the stored values, and the values of a refused form. */
async function sendProfile(c: Context, deps: Deps, returned: Partial<ProfileForms>): Promise<Response> {
  const { user } = requireViewer(c)
  const stored = { name: user.name ?? '', bio: user.bio ?? '', email: user.email ?? '' }
  const fine = { problems: noProblems, avatarProblems: noProblems, emailProblems: noProblems }
  const forms: ProfileForms = { ...stored, ...fine, status: 200, ...returned }
  const { name, bio, email, problems, avatarProblems, emailProblems, status } = forms
  const told = describedBy('bio', { hasHint: false, problems })
  const main = html`${avatarForm(c, user, avatarProblems)}
    <section aria-labelledby="about">
      <h2 id="about">About you</h2>
      ${formProblems(problems)}
      <form method="post" action="/settings/profile" class="settings-form">
        ${formToken(c)}
        ${formField({
          name: 'name',
          label: 'Name',
          autocomplete: 'name',
          value: name,
          hint: 'Your name as printed on a paper.',
          isOptional: true,
          problems,
        })}
        <p class="field">
          <label for="bio">Bio</label>
          ${fieldProblem('bio', problems)}
          <textarea id="bio" name="bio" rows="3" maxlength="500" ${told}>${bio}</textarea>
        </p>
        <p><button class="button">Save profile</button></p>
      </form>
    </section>
    ${await emailForm(c, deps, { user, email, problems: emailProblems })}
    <section class="account-end" aria-labelledby="account-end">
      <h2 id="account-end">Your account</h2>
      <p>Once your repositories are transferred or deleted, you can delete your account.</p>
      <p><a class="drawn-button" href="/settings/profile/delete">Delete account</a></p>
    </section>`
  return sendSettingsPage(c, { tab: 'profile', title: 'Profile', main, status })
}
