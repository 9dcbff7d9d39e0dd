import { html } from 'hono/html'

import { describedBy, fieldProblem, noProblems } from './form-problems.ts'
import type { FormProblems } from './form-problems.ts'
import type { Html } from '../html.ts'

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
  /** Why its form came back. */
  readonly problems?: FormProblems
}

/** Label above input; the hint, and why it was refused, tied to it for those who listen. */
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
  problems = noProblems,
}: FormField): Html {
  return html`<p class="field">
    <label for="${id}">${label}</label>
    ${fieldProblem(id, problems)}
    <input
      id="${id}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      autocapitalize="none"
      spellcheck="false"
      ${describedBy(id, { hasHint: hint !== undefined, problems })}
      ${isOptional ? '' : html`required`}
      ${isFocused ? html`autofocus` : ''}
    />
    ${hint === undefined ? '' : html`<span class="quiet" id="${id}-hint">${hint}</span>`}
  </p>`
}
