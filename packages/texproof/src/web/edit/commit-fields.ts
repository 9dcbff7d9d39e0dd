import type { Context } from 'hono'
import { html } from 'hono/html'

import { readField } from '../session/form.ts'
import { describedBy, fieldProblem, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'

/** What is asked of everybody who commits in the browser. */
export interface CommitForm {
  readonly message: string
  readonly to: 'branch' | 'new'
  /** Filled in also where it is not chosen. */
  readonly newBranch: string
}

/** The form as it is opened: to the branch that one looks at, or to one that nobody has yet. */
export function newCommitForm(
  message: string,
  { login, branches }: { readonly login: string; readonly branches: readonly { readonly name: string }[] },
): CommitForm {
  const names = new Set(branches.map(({ name }) => name))
  let number = 1
  while (names.has(`${login}-${number}`)) number += 1
  return { message, to: 'branch', newBranch: `${login}-${number}` }
}

/** The form as it was sent. */
export async function readCommitForm(c: Context): Promise<CommitForm> {
  const [message, to, newBranch] = [readField(c, 'message'), readField(c, 'to'), readField(c, 'new_branch')]
  return { message: message.trim(), to: to === 'new' ? 'new' : 'branch', newBranch: newBranch.trim() }
}

/** Message, branch and button. Where a page has two such forms, `id` tells their fields apart. */
export function commitFields(
  form: CommitForm,
  options: {
    /** null = an empty repository: there is nothing to choose. */
    readonly branch: string | null
    readonly button: string
    /** Whether it is the one action that the page is about. @default true */
    readonly isPrimary?: boolean
    readonly cancelHref: string
    readonly placeholder?: string
    readonly problems?: FormProblems
    readonly id?: string
  },
): Html {
  const { branch, button, isPrimary = true, cancelHref, placeholder = '', problems = noProblems, id = '' } = options
  const [messageId, branchId] = [`${id}message`, `${id}new-branch`]
  return html`<div class="commit-fields">
    <p class="field">
      <label for="${messageId}">What you changed</label>
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
    ${branch === null ? '' : branchChoice(form, { branch, branchId, problems })}
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
  const checked = (is: boolean): Html | '' => (is ? html`checked` : '')
  return html`<fieldset class="branch-choice">
    <legend>Commit to</legend>
    <p>
      <label><input type="radio" name="to" value="branch" ${checked(to === 'branch')} /> <code>${branch}</code></label>
    </p>
    <p class="field">
      <label><input type="radio" name="to" value="new" ${checked(to === 'new')} /> a new branch</label>
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
