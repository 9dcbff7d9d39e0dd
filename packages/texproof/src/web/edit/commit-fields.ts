import { html } from 'hono/html'

import { describedBy, fieldProblem, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import type { CommitForm } from './read-edit-form.ts'

/** Message, branch and button. `id` distinguishes the fields of two such forms on one page. */
export function commitFields(
  form: CommitForm,
  options: {
    /** null = an empty repository, which has no branch to choose. */
    readonly branch: string | null
    readonly button: string
    /** Whether it is the primary action of the page. @default true */
    readonly isPrimary?: boolean
    readonly cancelHref: string
    readonly placeholder?: string
    readonly problems?: FormProblems
    readonly id?: string
    /** Fields before the button. @default none */
    readonly more?: Html
  },
): Html {
  const {
    branch,
    button,
    isPrimary = true,
    cancelHref,
    placeholder = '',
    problems = noProblems,
    id = '',
    more = '',
  } = options
  const [messageId, branchId] = [`${id}message`, `${id}new-branch`]
  return html`<div class="commit-fields" id="${id}commit">
    <p class="field">
      <label for="${messageId}">Commit message</label>
      ${fieldProblem(messageId, problems)}
      <input
        id="${messageId}"
        name="message"
        value="${form.message}"
        placeholder="${placeholder}"
        autocomplete="off"
        ${describedBy(messageId, { hasHint: false, problems })}
      />
    </p>
    ${branch === null ? '' : branchChoice(form, { branch, branchId, problems })} ${more}
    <p class="actions">
      <button class="${isPrimary ? 'button' : 'drawn-button'}">${button}</button> <a href="${cancelHref}">Cancel</a>
    </p>
  </div>`
}

function branchChoice(
  { to, newBranch }: CommitForm,
  {
    branch,
    branchId,
    problems,
  }: { readonly branch: string; readonly branchId: string; readonly problems: FormProblems },
): Html {
  // The only problem with the branch of the page is that it was deleted.
  const isNew = to === 'new' || branchId in problems
  const checked = (is: boolean): Html | '' => (is ? html`checked` : '')
  return html`<fieldset class="branch-choice">
    <legend>Commit to</legend>
    <p>
      <label><input type="radio" name="to" value="branch" ${checked(!isNew)} /> <code>${branch}</code></label>
    </p>
    <p class="field">
      <label><input type="radio" name="to" value="new" ${checked(isNew)} /> A new branch</label>
      ${fieldProblem(branchId, problems)}
      <input
        id="${branchId}"
        name="new_branch"
        value="${newBranch}"
        aria-label="Name of the new branch"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        ${describedBy(branchId, { hasHint: false, problems })}
      />
    </p>
  </fieldset>`
}
