import type { Context } from 'hono'
import { html } from 'hono/html'

import { changeProfile } from '../../../operations/change-profile.ts'
import type { ChangeProfileRefusal } from '../../../operations/change-profile.ts'
import type { Deps } from '../../../deps.ts'
import { sendSettingsPage } from '../../components/settings-page.ts'
import { formField, formProblem } from '../../components/sign-form.ts'
import { formToken, readField } from '../../session.ts'
import { requireViewer } from '../../viewer.ts'
import { avatarForm, changeAvatar } from './avatar-form.ts'

const PROBLEMS: Readonly<Record<ChangeProfileRefusal, string>> = {
  'invalid-email': 'This is no e-mail address. Write one such as alice@uni.example, or leave the field empty.',
  'email-taken': 'Another account has this e-mail address.',
  'too-long': 'A name has 100 characters at most, and the lines about you 500.',
}

interface ProfileForm {
  readonly name: string
  readonly bio: string
  readonly email: string
  readonly problem: string | null
  readonly avatarProblem: string | null
  readonly isSaved: boolean
}

/** `GET /settings/profile`. */
export async function showProfileSettings(c: Context): Promise<Response> {
  return sendProfile(c, { ...storedProfile(c), isSaved: c.req.query('saved') === 'yes' })
}

/** `POST /settings/profile/avatar`: another picture. */
export async function postAvatar(c: Context, deps: Deps): Promise<Response> {
  const avatarProblem = await changeAvatar(c, deps)
  if (avatarProblem === null) return c.redirect('/settings/profile?saved=yes', 303)
  return sendProfile(c, { ...storedProfile(c), avatarProblem })
}

/** `POST /settings/profile`. */
export async function postProfile(c: Context, { store }: Deps): Promise<Response> {
  const { user } = requireViewer(c)
  const [name, bio, email] = await Promise.all([readField(c, 'name'), readField(c, 'bio'), readField(c, 'email')])
  const refusal = await changeProfile(store, user, { name, bio, email })
  if (refusal === null) return c.redirect('/settings/profile?saved=yes', 303)
  return sendProfile(c, { ...storedProfile(c), name, bio, email, problem: PROBLEMS[refusal] })
}

/** What is known of the viewer, as the form shows it. */
function storedProfile(c: Context): ProfileForm {
  const { name, bio, email } = requireViewer(c).user
  return {
    name: name ?? '',
    bio: bio ?? '',
    email: email ?? '',
    problem: null,
    avatarProblem: null,
    isSaved: false,
  }
}

async function sendProfile(c: Context, form: ProfileForm): Promise<Response> {
  const { name, bio, email, problem, avatarProblem, isSaved } = form
  const main = html`${isSaved ? html`<p class="banner banner-good" role="status">Saved.</p>` : ''}
    ${avatarForm(c, requireViewer(c).user, avatarProblem)} ${formProblem(problem)}
    <form method="post" action="/settings/profile" class="settings-form">
      ${formToken(c)}
      ${formField({ name: 'name', label: 'Name', autocomplete: 'name', value: name, hint: 'As it stands on a paper.', isOptional: true })}
      <p class="field">
        <label for="bio">About you</label>
        <textarea id="bio" name="bio" rows="3" maxlength="500">${bio}</textarea>
      </p>
      ${formField({
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'email',
        value: email,
        hint: 'Shown to nobody: for resetting your password.',
        isOptional: true,
      })}
      <p><button class="button">Save profile</button></p>
    </form>`
  const status = problem === null && avatarProblem === null ? 200 : 422
  return sendSettingsPage(c, { tab: 'profile', title: 'Profile', main, status })
}
