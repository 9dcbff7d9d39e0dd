import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Passkey } from '../../store/users/passkeys.ts'
import { formToken } from '../session/form.ts'
import type { Html } from '../ui/html.ts'
import { formField } from '../ui/form/form-field.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

/** A user's passkeys, each with forms below `path` to rename and remove it. */
export function passkeyTable(c: Context, passkeys: readonly Passkey[], path: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Passkeys">
    <table class="settings-table stacked-table">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Added</th>
          <th scope="col">Last used</th>
          <th scope="col"><span class="visually-hidden">Rename or remove</span></th>
        </tr>
      </thead>
      <tbody>
        ${passkeys.map((passkey) => row(c, passkey, `${path}/${passkey.id}`))}
      </tbody>
    </table>
  </div>`
}

function row(c: Context, { id, name, createdAt, lastUsedAt }: Passkey, path: string): Html {
  return html`<tr>
    <th scope="row">${name}</th>
    <td data-label="Added">${timeAgo(createdAt)}</td>
    <td data-label="Last used">${lastUsedAt === null ? 'never' : timeAgo(lastUsedAt)}</td>
    <td class="row-forms">
      <details>
        <summary class="plain-button" aria-label="Rename ${name}">Rename</summary>
        <form method="post" action="${path}/rename">
          ${formToken(c)}
          ${formField({ name: 'name', id: `name-${id}`, label: `New name of ${name}`, autocomplete: 'off', value: name })}
          <p><button class="drawn-button" aria-label="Save name: ${name}">Save name</button></p>
        </form>
      </details>
      <form method="post" action="${path}/remove">
        ${formToken(c)}<button class="plain-button" aria-label="Remove ${name}">Remove</button>
      </form>
    </td>
  </tr>`
}
