import { html } from 'hono/html'

import type { BuildProblem } from '../../domain/build.ts'
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

/**
 * The field for the text of a file, and the keys of the editor that replaces it. `line` is selected when the page opens;
 * null = none. `buildProblems` are shown on their lines.
 */
export function textField(
  text: string,
  {
    rows,
    line = null,
    buildProblems = [],
    problems,
  }: {
    readonly rows: number
    readonly line?: number | null
    readonly buildProblems?: readonly BuildProblem[]
    readonly problems: FormProblems
  },
): Html {
  return html`<div class="field text-field">
    <label for="text" id="text-label">Text</label>
    ${fieldProblem('text', problems)}
    ${textArea(
      text,
      html`id="text" name="text" rows="${rows}" autocapitalize="none" ${line === null ? '' : html`data-line="${line}"`}
      ${buildProblems.length === 0 ? '' : html`data-problems="${JSON.stringify(toLineProblems(buildProblems))}"`}
      ${describedBy('text', { hasHint: false, problems })}`,
    )}
    <details class="editor-keys" data-editor-help hidden>
      <summary>Keyboard shortcuts</summary>
      <dl>
        ${EDITOR_KEYS.map(
          ([key, what]) =>
            html`<div>
              <dt>${key}</dt>
              <dd>${what}</dd>
            </div>`,
        )}
      </dl>
    </details>
  </div>`
}

const EDITOR_KEYS = [
  ['Ctrl+S', 'Commit and keep editing'],
  ['Ctrl+Space', 'Complete'],
  ['Ctrl+Enter', 'Build'],
  ['Ctrl+Alt+J', 'Show in PDF'],
  ['Ctrl+Alt+I', 'Insert symbols and snippets'],
  ['F12', 'Go to definition'],
  ['Ctrl+Alt+H', 'Preview the formula or reference'],
  ['F2', 'Rename a label or citation key'],
  ['Ctrl+F', 'Search and replace'],
  ['Ctrl+G', 'Next match'],
  ['Ctrl+Shift+F', 'Search the project'],
  ['Ctrl+Alt+G', 'Go to a line'],
  ['Ctrl+/', 'Comment or uncomment'],
  ['F8', 'Next problem'],
  ['F7', 'Next misspelled word'],
  ['Ctrl+Z', 'Undo'],
  ['Ctrl+Shift+[', 'Fold'],
  ['Ctrl+Shift+]', 'Unfold'],
  ['Ctrl+Shift+V', 'Paste as plain text'],
  ['Tab', 'Indent'],
  ['F1', 'Show keyboard shortcuts'],
  ['Esc, then Tab', 'Leave the editor'],
] as const

/** Problems with a line, in the words of the notes beside sources. */
export function toLineProblems(problems: readonly BuildProblem[]) {
  return problems.flatMap(({ line, type, message, summary }) =>
    line === null
      ? []
      : [{ line, severity: type, message: summary === undefined ? message : `${summary} (TeX: ${message})` }],
  )
}
