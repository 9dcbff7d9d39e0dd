/**
 * Problems of a refused form. A single problem of a field is shown at the field, which gets the focus when the page
 * opens. Other problems are listed above the fields, each linked to its field, and repeated at the field; the list gets
 * the focus. So screen readers announce the problem first, with or without script.
 */
import { html } from 'hono/html'

import type { Html } from '../html.ts'

/** A sentence for each refused field, by the id of its input; `form` for problems of the form as a whole. */
export type FormProblems = Readonly<Record<string, string | Html>>

/** Problems of a valid form. */
export const noProblems: FormProblems = {}

/** Whether there are problems. */
export function isRefused(problems: FormProblems): boolean {
  return Object.keys(problems).length > 0
}

/** Why a form was refused, with the status of the response. */
export interface Refusal {
  readonly problem: string
  /** The id of the input; `form` = none. */
  readonly field: string
  readonly status: 422 | 429
}

/** A refusal as problems of a form; null = not refused. */
export function toProblems(refusal: Refusal | null): FormProblems {
  return refusal === null ? noProblems : { [refusal.field]: refusal.problem }
}

/** The problems of fields that a page does not show, as problems of the form. */
export function toFormProblems(problems: FormProblems): FormProblems {
  return isRefused(problems) ? { form: html`${Object.values(problems).map((words) => html`${words} `)}` } : noProblems
}

/** The field with the only problem, which is not listed above the fields; null = no problem, several, or one of the form. */
function onlyField(problems: FormProblems): string | null {
  const [id = 'form', ...others] = Object.keys(problems)
  return id === 'form' || others.length > 0 ? null : id
}

/** The list above the fields; empty without problems, and for a single problem of a field. The form must show that field. */
export function formProblems(problems: FormProblems): Html | '' {
  if (!isRefused(problems) || onlyField(problems) !== null) return ''
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

/** Attributes that link an input to its hint and its problem, and focus the only refused input. */
export function describedBy(
  id: string,
  { hasHint, problems }: { readonly hasHint: boolean; readonly problems: FormProblems },
): Html | '' {
  const isWrong = problems[id] !== undefined
  const ids = [hasHint ? `${id}-hint` : null, isWrong ? `${id}-problem` : null].filter((each) => each !== null)
  if (ids.length === 0) return ''
  return html`aria-describedby="${ids.join(' ')}" ${isWrong ? html`aria-invalid="true"` : ''}
  ${onlyField(problems) === id ? html`autofocus` : ''}`
}

/** The problem of a field, between its label and its input. */
export function fieldProblem(id: string, problems: FormProblems): Html | '' {
  const words = problems[id]
  if (words === undefined) return ''
  return html`<span class="field-problem" id="${id}-problem" ${onlyField(problems) === id ? html`role="alert"` : ''}
    >${words}</span
  >`
}
