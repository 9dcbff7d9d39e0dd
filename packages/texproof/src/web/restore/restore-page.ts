import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { ListedChange } from '../../git/history/list-changes.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { commitFields } from '../edit/commit-fields.ts'
import type { CommitForm } from '../edit/read-edit-form.ts'
import { formToken } from '../session/form.ts'
import { sendPage } from '../shell/page.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import { formProblems, isRefused } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import type { RestoreLocation } from './find-restore-location.ts'

/** Content of the confirmation page before a branch changes. */
export interface RestoreQuestion {
  readonly location: RestoreLocation
  readonly form: CommitForm
  readonly problems: FormProblems
  readonly heading: string
  /** A paragraph above the form. */
  readonly explanation: Html
  readonly button: string
  /** Changes to the branch, from before to after; null = unknown. */
  readonly changes: readonly ListedChange[] | null
  /** The address of this page. */
  readonly path: string
}

/** Files that are named. */
const MAX_LISTED = 20

/** The question, the files that change, message and branch. */
export async function sendRestorePage(c: Context, { git }: Deps, question: RestoreQuestion): Promise<Response> {
  const { location, form, problems, heading, explanation, button, changes, path } = question
  const { repository, branch, openedId, commit } = location
  const branches = await git.listBranches(repository.id)
  const link = (name: string): string => `${path}?branch=${encodeURIComponent(name)}`
  const main = html`${repositoryHeader(c, repository, 'commits', branch)}
    <div class="bar">${refPicker(branch, { branches, tags: [], link })}</div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">${heading}</h1>
      ${formProblems(problems)}
      <p>${explanation}</p>
      ${changes === null ? '' : listOf(changes)}
      <form method="post" action="${path}">
        ${formToken(c)}
        <input type="hidden" name="branch" value="${branch}" />
        <input type="hidden" name="opened" value="${openedId}" />
        ${commitFields(form, {
          branch,
          button,
          cancelHref: `${repositoryPath(repository)}/commit/${commit.commitId}`,
          problems,
        })}
      </form>
    </section>`
  const title = `${heading} · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}

function listOf(changes: readonly ListedChange[]): Html {
  return html`<ul>
    ${changes.slice(0, MAX_LISTED).map(
      ({ path, before, after }) =>
        html`<li>
          <code>${path}</code>
          <span class="quiet">${before === null ? 'is restored' : after === null ? 'is removed' : 'changes'}</span>
        </li>`,
    )}
    ${changes.length > MAX_LISTED ? html`<li class="quiet">and ${changes.length - MAX_LISTED} more</li>` : ''}
  </ul>`
}
