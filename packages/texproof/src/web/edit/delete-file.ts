/** `/{owner}/{repo}/delete/{branch}/{path}`: asks before a file or folder is deleted. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { removeFile } from '../../operations/edit/remove-file.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { formToken, readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { commitFields } from './commit-fields.ts'
import { commitTarget, committedBranch, newCommitForm, readCommitForm, toFieldProblems } from './read-edit-form.ts'
import type { CommitForm } from './read-edit-form.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { findEditLocation, findNearestFolder, withOpenedFiles } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** Larger trees are not counted. */
const MAX_COUNTED = 5_000

/** Confirmation page of the deletion of a file or folder. */
export async function showDeleteFile(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const branches = await deps.git.listBranches(location.repository.id)
  const commit = newCommitForm(messageOfDeletion(location.path), { login: location.caller.user.login, branches })
  return sendForm(c, deps, { location, commit, problems: noProblems })
}

/** `POST` of the same: deletes the file only if it has not changed since the page was shown. */
export async function postDeleteFile(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { repository, path } = location
  const commit = readCommitForm(c)
  const openedId = readField(c, 'opened')
  const target = commitTarget(location, commit, { openedId, defaultMessage: messageOfDeletion(path) })
  const outcome = await removeFile(deps, { ...target, openedId, path })
  if (outcome.kind === 'committed' || outcome.kind === 'there') {
    const shown = committedBranch(location, commit)
    const folder = await findNearestFolder(deps, location, shown)
    return redirectWithNotice(
      c,
      `${repositoryPath(repository)}/tree/${encodePath(`${shown}${folder}`)}`,
      'path-deleted',
    )
  }
  const problems =
    outcome.kind === 'changed'
      ? { form: `"${path}" has changed since you opened this page. Nothing was deleted.` }
      : toFieldProblems(outcome)
  return sendForm(c, deps, { location: await withOpenedFiles(deps, location, openedId), commit, problems })
}

function messageOfDeletion(path: string): string {
  return `Delete ${posix.basename(path)}`
}

async function sendForm(
  c: Context,
  { git }: Deps,
  { location, commit, problems }: { location: EditLocation; commit: CommitForm; problems: FormProblems },
): Promise<Response> {
  const { repository, branch, headId, path } = location
  const entry = headId === null || path === '' ? null : await findFile(git, repository.id, { commitId: headId, path })
  if (headId === null || entry === null) throw new NotFound(`There is no file ${path} on ${branch}.`)
  const isFolder = entry.kind === 'folder'
  const address = `${encodePath(branch)}/${encodePath(path)}`
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}</div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">Delete ${posix.basename(path)}?</h1>
      ${formProblems(problems)}
      <p>
        This commits the deletion${isFolder ? html` of ${await countFiles(git, location)}` : ''} to ${branch}. Earlier
        commits still contain ${isFolder ? 'them' : 'the file'}.
      </p>
      <form method="post" action="${repositoryPath(repository)}/delete/${address}">
        ${formToken(c)}
        <input type="hidden" name="branch" value="${branch}" />
        <input type="hidden" name="opened" value="${headId}" />
        ${commitFields(commit, {
          branch,
          button: isFolder ? 'Delete folder' : 'Delete file',
          cancelHref: `${repositoryPath(repository)}/${isFolder ? 'tree' : 'blob'}/${address}`,
          problems,
        })}
      </form>
    </section>`
  const title = `Delete ${path} · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}

/** `12 files`. */
async function countFiles(git: Deps['git'], { repository, headId, path }: EditLocation): Promise<string> {
  const files = headId === null ? null : await git.listFiles(repository.id, headId, { maxFiles: MAX_COUNTED })
  return files === null ? 'all files' : countOf(files.filter((file) => file.path.startsWith(`${path}/`)).length, 'file')
}
