import { html } from 'hono/html'

import { describedBy, fieldProblem } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { textArea } from '../ui/form/text-area.ts'

/** The field for the path of a file. */
export function pathField(
  path: string,
  { hint, problems }: { readonly hint: string; readonly problems: FormProblems },
): Html {
  return html`<p class="field path-field">
    <label for="path">Path</label>
    ${fieldProblem('path', problems)}
    <input
      id="path"
      name="path"
      value="${path}"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      required
      ${describedBy('path', { hasHint: true, problems })}
    />
    <span class="quiet" id="path-hint">${hint}</span>
  </p>`
}

/** The field for the text of a file. `line` is selected when the page opens; null = none. */
export function textField(
  text: string,
  {
    rows,
    line = null,
    problems,
  }: { readonly rows: number; readonly line?: number | null; readonly problems: FormProblems },
): Html {
  return html`<p class="field text-field">
    <label for="text">Text</label>
    ${fieldProblem('text', problems)}
    ${textArea(
      text,
      html`id="text" name="text" rows="${rows}" autocapitalize="none" ${line === null ? '' : html`data-line="${line}"`}
      ${describedBy('text', { hasHint: false, problems })}`,
    )}
  </p>`
}
