/** `/{owner}/{repo}/branches/new`: creates a branch from any branch, tag or commit. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { createBranch } from '../../operations/branch/create-branch.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { describedBy, fieldProblem, formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { orderBranches, orderTags } from '../shell/repository/order-refs.ts'
import { formField } from '../ui/form/form-field.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'
import { formToken, readField } from '../session/form.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'

/** Starting points that the browser suggests while typing. */
const MAX_OFFERED = 200

interface BranchForm {
  readonly name: string
  readonly from: string
  readonly problems: FormProblems
}

/** The form; `?from=v1` fills in the starting point. */
export async function showNewBranch(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireWritable(c, deps)
  const from = c.req.query('from') ?? repository.defaultBranch
  return sendForm(c, deps, repository, { name: c.req.query('name') ?? '', from, problems: noProblems })
}

/** Creates the branch and redirects to its files. */
export async function postNewBranch(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const name = readField(c, 'name').trim()
  const from = readField(c, 'from').trim()
  const start = await resolveRef(deps.git, repository.id, from)
  if (start === null) {
    const problems = { from: `Branch, tag or full commit id "${from}" not found.` }
    return sendForm(c, deps, repository, { name, from, problems })
  }
  const problem = await createBranch(deps, { repository, actor, name, commitId: start.commitId })
  if (problem !== null) return sendForm(c, deps, repository, { name, from, problems: { name: problem } })
  return c.redirect(`${repositoryPath(repository)}/tree/${encodePath(name)}`, 303)
}

async function sendForm(
  c: Context,
  { git }: Deps,
  repository: ViewedRepository,
  { name, from, problems }: BranchForm,
): Promise<Response> {
  const [{ branches }, tags] = await Promise.all([
    git.pageBranches(repository.id, { offset: 0, limit: MAX_OFFERED }),
    git.listTags(repository.id),
  ])
  const path = `${repositoryPath(repository)}/branches`
  const main = html`${repositoryHeader(c, repository, 'branches')}
    <section class="settings-form">
      <h1>New branch</h1>
      ${formProblems(problems)}
      <form method="post" action="${path}/new">
        ${formToken(c)}
        ${formField({
          name: 'name',
          label: 'Name',
          autocomplete: 'off',
          value: name,
          hint: 'For example referee-2, or drafts/short.',
          problems,
        })}
        <p class="field">
          <label for="from">Start from</label>
          ${fieldProblem('from', problems)}
          <input
            id="from"
            name="from"
            list="refs"
            value="${from}"
            autocomplete="off"
            spellcheck="false"
            required
            ${describedBy('from', { hasHint: true, problems })}
          />
          <span class="quiet" id="from-hint">A branch, tag or full commit id.</span>
        </p>
        <datalist id="refs">
          ${[...orderBranches(branches), ...orderTags(tags)].slice(0, MAX_OFFERED).map((ref) => html`<option value="${ref.name}"></option>`)}
        </datalist>
        <p class="actions"><button class="button">Create branch</button> <a href="${path}">Cancel</a></p>
      </form>
    </section>`
  const title = `New branch · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}
