import { html } from 'hono/html'

import type { Html } from './html.ts'

/** Why a new password is refused. */
export const passwordRule = 'A password has at least 10 characters, and at most 1024 bytes.'

/** A field of an account form: label, input, and what must be known of it before typing. */
export interface FormField {
  readonly name: string
  /** Where a page has two fields of one name. @default the name */
  readonly id?: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'email'
  /** What the browser's keychain fills in. */
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** For the one field that a page is about. */
  readonly isFocused?: boolean
}

/** Label above input, the hint tied to it for those who listen. */
export function formField({
  name,
  id = name,
  label,
  type = 'text',
  autocomplete,
  value = '',
  hint,
  isOptional = false,
  isFocused = false,
}: FormField): Html {
  return html`<p class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      autocapitalize="none"
      spellcheck="false"
      ${hint === undefined ? '' : html`aria-describedby="${id}-hint"`}
      ${isOptional ? '' : html`required`}
      ${isFocused ? html`autofocus` : ''}
    />
    ${hint === undefined ? '' : html`<span class="quiet" id="${id}-hint">${hint}</span>`}
  </p>`
}

/** The password of whoever is signed in, asked again before something that would keep them out. */
export function passwordField(): Html {
  return formField({ name: 'password', label: 'Your password', type: 'password', autocomplete: 'current-password' })
}

/** Why the form came back, above its fields; nothing when it did not. */
export function formProblem(problem: string | null): Html | '' {
  return problem === null ? '' : html`<p class="problem-box" role="alert" id="problem">${problem}</p>`
}
