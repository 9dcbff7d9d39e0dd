import { html } from 'hono/html'

import { describedBy, fieldProblem, noProblems } from './form-problems.ts'
import type { FormProblems } from './form-problems.ts'
import type { Html } from '../html.ts'

/** Why a new password is refused. */
export const passwordRule = 'Use at least 10 characters and at most 1,024 bytes.'

/** A field of an account form: label, input and hint. */
export interface FormField {
  readonly name: string
  /** Id, for pages with two fields of one name. @default the name */
  readonly id?: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'email'
  /** The `autocomplete` attribute, for password managers. */
  readonly autocomplete: string
  readonly value?: string
  readonly hint?: string
  readonly isOptional?: boolean
  /** True for the main field of a page. */
  readonly isFocused?: boolean
  /** Problems of a refused form. */
  readonly problems?: FormProblems
}

/** Label above input; hint and problem are linked to it for screen readers. */
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
      ${isFocused && problems[id] === undefined ? html`autofocus` : ''}
    />
    ${hint === undefined ? '' : html`<span class="quiet" id="${id}-hint">${hint}</span>`}
  </p>`
}
