/** `/{owner}/{repo}/branches/delete/{branch}`: asks before a branch is deleted; it can be restored for a week. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Ref } from '../../git/types.ts'
import type { Deps } from '../../operations/deps.ts'
import { deleteBranch, listRestorableBranches, restoreBranch } from '../../operations/branch/delete-branch.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { commitLine } from '../ui/commit-line.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireWritable } from '../shell/repository/require-permission.ts'
import { sendBranches } from './branches.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** Confirmation page of the deletion of a branch. */
export async function showDeleteBranch(c: Context, deps: Deps): Promise<Response> {
  const { repository } = await requireWritable(c, deps)
  const branch = await deps.git.findBranch(repository.id, c.req.param('rest') ?? '')
  if (branch === null || branch.name === repository.defaultBranch)
    throw new NotFound(branch === null ? 'Branch not found.' : 'The default branch cannot be deleted.')
  const { name, commitId } = branch
  const base = await deps.git.findBranch(repository.id, repository.defaultBranch)
  const [commit, distance] = await Promise.all([
    deps.git.findCommit(repository.id, commitId),
    base === null ? null : deps.git.countDistance(repository.id, { baseId: base.commitId, commitId }),
  ])
  const path = `${repositoryPath(repository)}/branches`
  const main = html`${repositoryHeader(c, repository, 'branches')}
    <section class="settings-form">
      <h1>Delete the branch ${name}?</h1>
      ${commitLine(commit, repository)}
      ${
        distance === null || distance.ahead === 0
          ? ''
          : html`<p class="strip">
              ${countOf(distance.ahead, 'commit')} on this branch ${distance.ahead === 1 ? 'is' : 'are'} not in
              ${repository.defaultBranch}.
            </p>`
      }
      <p>Its PDF page stops working, and its share links are revoked. You can restore the branch for 7 days.</p>
      <form method="post" action="${path}/delete/${encodePath(name)}">
        ${formToken(c)}
        <input type="hidden" name="commit" value="${commitId}" />
        <p class="actions"><button class="button">Delete branch</button> <a href="${path}">Cancel</a></p>
      </form>
    </section>`
  return sendPage(c, { title: `Delete ${name} · ${repository.owner.login}/${repository.name}`, main })
}

/** `POST` of the same: only if the branch has not moved since the page was shown. */
export async function postDeleteBranch(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const seen = { name: c.req.param('rest') ?? '', commitId: readField(c, 'commit') }
  const branch = await deps.git.findBranch(repository.id, seen.name)
  const problem =
    branch?.commitId === seen.commitId
      ? await deleteBranch(deps, { repository, actor, ...branch })
      : `"${seen.name}" has changed since you opened this page. Nothing was deleted.`
  if (problem === null || (await isDeleted(deps, repository.id, seen)))
    return redirectWithNotice(c, `${repositoryPath(repository)}/branches`, 'branch-deleted')
  if (branch === null) throw new NotFound('Branch not found.')
  return sendBranches(c, deps, { repository, problem })
}

/** Whether the branch was already deleted at the confirmed commit: the form was submitted twice. */
async function isDeleted(deps: Deps, repositoryId: number, { name, commitId }: Ref): Promise<boolean> {
  const deleted = await listRestorableBranches(deps, repositoryId)
  return deleted.some((branch) => branch.name === name && branch.commitId === commitId)
}

/** `POST /{owner}/{repo}/branches/restore`: restores a deleted branch. */
export async function postRestoreBranch(c: Context, deps: Deps): Promise<Response> {
  const { repository, actor } = await requireWritable(c, deps)
  const id = Number(readField(c, 'id'))
  const problem = Number.isSafeInteger(id)
    ? await restoreBranch(deps, { repository, actor, id })
    : 'Deleted branch not found.'
  const isThere = async (): Promise<boolean> => {
    // The form was submitted twice.
    const branch = await deps.git.findBranch(repository.id, readField(c, 'branch'))
    return branch !== null && branch.commitId === readField(c, 'commit')
  }
  if (problem === null || (await isThere()))
    return redirectWithNotice(c, `${repositoryPath(repository)}/branches`, 'branch-restored')
  return sendBranches(c, deps, { repository, problem })
}
