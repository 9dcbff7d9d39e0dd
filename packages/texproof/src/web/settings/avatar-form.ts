/** The avatar on `/settings/profile`: shown, uploaded, removed. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { removeAvatar, setAvatar } from '../../accounts/avatar/change-avatar.ts'
import { maxAvatarBytes } from '../../accounts/avatar/make-avatar.ts'
import type { AvatarRefusal } from '../../accounts/avatar/make-avatar.ts'
import { createThrottle } from '../../base/throttle.ts'
import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { avatar } from '../ui/avatar.ts'
import { fileField } from '../ui/form/file-field.ts'
import { describedBy, fieldProblem, formProblems } from '../ui/form/form-problems.ts'
import type { FormProblems, Refusal } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { formToken, readFiles } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { requireViewer } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'

const PROBLEMS: Readonly<Record<AvatarRefusal | 'no-file', string>> = {
  'no-file': 'Choose a picture.',
  'too-many-bytes': 'This picture is larger than 1 MB. Resize it: 256 × 256 pixels are enough.',
  'too-many-pixels': 'This picture has more than 25 million pixels. Resize it: 256 × 256 are enough.',
  'no-picture': 'This file is not a PNG, JPEG or WebP picture.',
  animated: 'Animated pictures are not supported. Choose a still picture.',
  unreadable: 'This picture is damaged and cannot be read.',
  busy: 'Too many pictures are being processed. Try again in a minute.',
}

const SHOWN_SIZE = 96

/** The avatar with its forms. */
export function avatarForm(c: Context, user: User, problems: FormProblems): Html {
  return html`<section class="avatar-settings" aria-labelledby="picture">
    ${avatar(user, SHOWN_SIZE)}
    <div>
      <h2 id="picture">Picture</h2>
      ${formProblems(problems)}
      <form method="post" action="/settings/profile/avatar" enctype="multipart/form-data">
        ${formToken(c)}
        <p class="field">
          <label for="avatar">Image file</label>
          ${fieldProblem('avatar', problems)}
          ${fileField(
            'file',
            { fileBytes: maxAvatarBytes, totalBytes: maxAvatarBytes },
            html`id="avatar" name="avatar" accept="image/png,image/jpeg,image/webp" required
            ${describedBy('avatar', { hasHint: true, problems })}`,
          )}
          <span class="quiet" id="avatar-hint"
            >PNG, JPEG or WebP, at most 1 MB. Cropped to a square; location and camera data are removed. Everyone can
            see it.</span
          >
        </p>
        <p><button class="drawn-button">Change picture</button></p>
      </form>
      ${
        user.avatarId === null
          ? ''
          : html`<form method="post" action="/settings/profile/avatar/remove">
              ${formToken(c)}<button class="plain-button">Remove picture</button>
            </form>`
      }
    </div>
  </section>`
}

/** Decoding takes a thread for up to a second, on this server only: counted in memory. */
const throttle = createThrottle({ allowed: 20, firstWaitMs: 60_000, longestWaitMs: 10 * 60_000 })

/** Changes the avatar to the uploaded file. Returns why it is refused, or null. */
export async function changeAvatar(c: Context, { store }: Pick<Deps, 'store'>): Promise<Refusal | null> {
  const { user } = requireViewer(c)
  const waitMs = await throttle.attempt(user.id)
  if (waitMs > 0) return { problem: retryAfter(c, waitMs), field: 'form', status: 429 }
  const [file] = readFiles(c, 'avatar')
  if (file === undefined || file.bytes.length === 0)
    return { problem: PROBLEMS['no-file'], field: 'avatar', status: 422 }
  const reason = await setAvatar(store, user, file.bytes)
  return reason === null ? null : { problem: PROBLEMS[reason], field: 'avatar', status: 422 }
}

/** `POST /settings/profile/avatar/remove`. */
export async function postRemoveAvatar(c: Context, { store }: Deps): Promise<Response> {
  await removeAvatar(store, requireViewer(c).user)
  return redirectWithNotice(c, '/settings/profile', 'saved')
}
