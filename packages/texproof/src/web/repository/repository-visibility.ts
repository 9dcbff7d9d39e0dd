/** `/{owner}/{repo}/settings/visibility`: shows what becomes public before a repository is made public. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { maxCountedCommits } from '../../git/history/rev-list.ts'
import { changeVisibility } from '../../operations/repository/change-repository.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { formField } from '../ui/form/form-field.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { formToken, readField } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { requireAdministered } from '../shell/repository/require-permission.ts'

/** Confirmation page of a change of visibility: what becomes visible, and the name to type. */
export async function showVisibility(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireAdministered(c, deps)
  if (repository.visibility === 'public') return c.redirect(`${repositoryPath(repository)}/settings`, 303)
  return sendForm(c, deps, { repository, typed: '', problems: noProblems })
}

/** Makes the repository public after its full name was typed; private immediately. */
export async function postVisibility(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireAdministered(c, deps)
  const visibility = readField(c, 'visibility') === 'public' ? 'public' : 'private'
  const name = `${repository.owner.login}/${repository.name}`
  const typed = readField(c, 'name').trim()
  if (visibility === 'public' && repository.visibility === 'private' && typed !== name)
    return sendForm(c, deps, {
      repository,
      typed,
      problems: { name: `Type ${name} to make it public. Nothing was changed.` },
    })
  await changeVisibility(deps, { repository, actor }, visibility)
  const notice = visibility === 'public' ? 'made-public' : 'made-private'
  return redirectWithNotice(c, `${repositoryPath(repository)}/settings`, notice)
}

interface VisibilityForm {
  readonly repository: ViewedRepository
  /** Typed as confirmation. */
  readonly typed: string
  readonly problems: FormProblems
}

async function sendForm(
  c: Context,
  { git, store }: Deps,
  { repository, typed, problems }: VisibilityForm,
): Promise<Response> {
  const [{ total: branches }, tags, commits, builds] = await Promise.all([
    git.pageBranches(repository.id, { offset: 0, limit: 0 }),
    git.listTags(repository.id),
    git.countCommits(repository.id),
    store.builds.count(repository.id),
  ])
  const path = `${repositoryPath(repository)}/settings`
  const name = `${repository.owner.login}/${repository.name}`
  const main = html`${repositoryHeader(c, repository, 'settings')}
    <section class="settings-form">
      <h1>Make ${name} public?</h1>
      ${formProblems(problems)}
      <p>Anyone will be able to see, without signing in:</p>
      <ul class="becomes-visible">
        <li>
          <strong>${countOf(branches, 'branch', 'branches')}</strong> and
          <strong>${countOf(tags.length, 'tag')}</strong>
        </li>
        <li>
          <strong>${describeCommits(commits)}</strong>: every version of every file, including deleted files, and the
          names and email addresses of the authors
        </li>
        <li><strong>${countOf(builds, 'build')}</strong> with PDFs, errors and logs</li>
        <li>everything you push from now on</li>
      </ul>
      <p class="notice">Making it private again does not remove copies that others have cloned.</p>
      <form method="post" action="${path}/visibility">
        ${formToken(c)}
        ${formField({ name: 'name', label: `Type ${name} to confirm`, autocomplete: 'off', value: typed, problems })}
        <p class="actions">
          <button class="button" name="visibility" value="public">Make public</button>
          <a href="${path}">Keep private</a>
        </p>
      </form>
    </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Make public · ${name}`, main, status: isRefused(problems) ? 422 : 200 })
}

function describeCommits(count: number | null): string {
  if (count === null) return 'every commit'
  return count > maxCountedCommits ? `more than ${maxCountedCommits} commits` : countOf(count, 'commit')
}
