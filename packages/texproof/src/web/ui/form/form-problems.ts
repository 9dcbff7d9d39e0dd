/**
 * Why a form came back. The sentences stand in a list above its fields, each a way to its field, and again at the field
 * itself. The list takes the focus when the page opens, so that whoever listens hears it first, with script or without.
 */
import { html } from 'hono/html'

import type { Html } from '../html.ts'

/** A sentence for each refused field, by the id of its input; under `form` what concerns none of them. */
export type FormProblems = Readonly<Record<string, string | Html>>

/** Of a form that did not come back. */
export const noProblems: FormProblems = {}

/** Whether the form came back. */
export function isRefused(problems: FormProblems): boolean {
  return Object.keys(problems).length > 0
}

/** Why a form came back, with what the answer says by its status. */
export interface Refusal {
  readonly problem: string
  /** The id of the input that it is about; `form` = none. */
  readonly field: string
  readonly status: 422 | 429
}

/** A refusal as a form shows it; null = it was not refused. */
export function toProblems(refusal: Refusal | null): FormProblems {
  return refusal === null ? noProblems : { [refusal.field]: refusal.problem }
}

/** The list, above the fields; nothing for a form that did not come back. */
export function formProblems(problems: FormProblems): Html | '' {
  if (!isRefused(problems)) return ''
  const { form, ...fields } = problems
  const told = Object.entries(fields).map(([id, words]) => html`<a href="#${id}">${words}</a>`)
  const all = form === undefined ? told : [...told, form]
  return html`<div class="problem-box" role="alert" id="problem" tabindex="-1" autofocus>
    ${
      all.length === 1
        ? html`<p>${all}</p>`
        : html`<ul>
            ${all.map((each) => html`<li>${each}</li>`)}
          </ul>`
    }
  </div>`
}

/** Attributes of an input that tie it to what is said of it: its hint, when it has one, and why it was refused. */
export function describedBy(
  id: string,
  { hasHint, problems }: { readonly hasHint: boolean; readonly problems: FormProblems },
): Html | '' {
  const isWrong = problems[id] !== undefined
  const ids = [hasHint ? `${id}-hint` : null, isWrong ? `${id}-problem` : null].filter((each) => each !== null)
  if (ids.length === 0) return ''
  return html`aria-describedby="${ids.join(' ')}" ${isWrong ? html`aria-invalid="true"` : ''}`
}

/** Why a field was refused, between its label and its input. */
export function fieldProblem(id: string, problems: FormProblems): Html | '' {
  const words = problems[id]
  return words === undefined ? '' : html`<span class="field-problem" id="${id}-problem">${words}</span>`
}
