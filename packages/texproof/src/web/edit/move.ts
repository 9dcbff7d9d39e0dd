/** `/{owner}/{repo}/move/{branch}/{path}`: renames or moves a file of any kind, or a folder. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { moveEntry } from '../../operations/move/move-entry.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'
import { formToken, readField } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { commitFields } from './commit-fields.ts'
import { findEditLocation, findNearestFolder, withOpenedFiles } from './find-edit-location.ts'
import type { EditLocation } from './find-edit-location.ts'
import { commitTarget, committedBranch, newCommitForm, readCommitForm, toFieldProblems } from './read-edit-form.ts'
import type { CommitForm } from './read-edit-form.ts'
import { pathField } from './source-fields.ts'

interface MoveForm {
  readonly newPath: string
  readonly updatesReferences: boolean
  readonly commit: CommitForm
}

/** The form with the present path. */
export async function showMove(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const branches = await deps.git.listBranches(location.repository.id)
  const commit = newCommitForm('', { login: location.caller.user.login, branches })
  return sendForm(c, deps, {
    location,
    form: { newPath: location.path, updatesReferences: true, commit },
    problems: noProblems,
  })
}

/** `POST` of the same: moves it only if it has not changed since the page was shown. */
export async function postMove(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { repository, path } = location
  const newPath = normalizeText(readField(c, 'path').trim())
  const form = { newPath, updatesReferences: readField(c, 'references') === 'yes', commit: readCommitForm(c) }
  const openedId = readField(c, 'opened')
  const defaultMessage = messageOfMove(path, newPath)
  const { updatesReferences } = form
  const target = commitTarget(location, form.commit, { openedId, defaultMessage })
  const outcome = await moveEntry(deps, { ...target, openedId, path, newPath, updatesReferences })
  if (outcome.kind === 'committed' || outcome.kind === 'there') {
    const branch = encodePath(committedBranch(location, form.commit))
    const seen = await findFile(deps.git, repository.id, { commitId: openedId, path })
    const view = seen?.kind === 'folder' ? 'tree' : 'blob'
    const count = outcome.kind === 'committed' && updatesReferences ? (outcome.referenceCount ?? 'none') : 0
    const references = count === 0 ? '' : `&references=${count}`
    const page = `${repositoryPath(repository)}/${view}/${branch}/${encodePath(newPath)}`
    return c.redirect(`${page}?after=commit${references}`, 303)
  }
  const elsewhere = outcome.kind === 'changed' ? await redirectIfGone(c, deps, { location, newPath }) : null
  if (elsewhere !== null) return elsewhere
  const problems =
    outcome.kind === 'changed'
      ? { form: `"${path}" has changed since you opened this page. Nothing was moved.` }
      : toFieldProblems(outcome)
  return sendForm(c, deps, { location: await withOpenedFiles(deps, location, openedId), form, problems })
}

/**
 * The path no longer exists, so that the form has nothing to show: the form was submitted twice and updated the moved file
 * itself, or others have moved or deleted it. Null if it exists.
 */
async function redirectIfGone(
  c: Context,
  deps: Deps,
  { location, newPath }: { readonly location: EditLocation; readonly newPath: string },
): Promise<Response | null> {
  const { repository, branch, headId, path } = location
  if (headId === null) return null
  const find = (at: string) => findFile(deps.git, repository.id, { commitId: headId, path: at })
  const [old, moved] = await Promise.all([find(path), find(newPath)])
  if (old !== null) return null
  const page = (view: string, rest: string) => `${repositoryPath(repository)}/${view}/${encodePath(`${branch}${rest}`)}`
  if (moved !== null)
    return redirectWithNotice(c, page(moved.kind === 'folder' ? 'tree' : 'blob', `/${newPath}`), 'path-moved-before')
  return redirectWithNotice(c, page('tree', await findNearestFolder(deps, location, branch)), 'path-gone')
}

/** The default message. */
function messageOfMove(path: string, newPath: string): string {
  const isSameFolder = posix.dirname(path) === posix.dirname(newPath)
  return isSameFolder ? `Rename ${path} to ${posix.basename(newPath)}` : `Move ${path} to ${newPath}`
}

async function sendForm(
  c: Context,
  { git }: Deps,
  { location, form, problems }: { location: EditLocation; form: MoveForm; problems: FormProblems },
): Promise<Response> {
  const { repository, branch, headId, path } = location
  const entry = headId === null || path === '' ? null : await findFile(git, repository.id, { commitId: headId, path })
  if (entry === null) throw new NotFound(`There is no file ${path} on ${branch}.`)
  const address = `${encodePath(branch)}/${encodePath(path)}`
  const isFolder = entry.kind === 'folder'
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}</div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">Rename or move ${posix.basename(path)} <span class="quiet">on ${branch}</span></h1>
      ${formProblems(problems)}
      <form method="post" action="${repositoryPath(repository)}/move/${address}">
        ${formToken(c)}
        <input type="hidden" name="branch" value="${branch}" />
        <input type="hidden" name="opened" value="${headId}" />
        ${pathField(form.newPath, { hint: 'A path with a new folder creates that folder.', problems })}
        ${commitFields(form.commit, {
          branch,
          button: isFolder ? 'Move folder' : 'Move file',
          cancelHref: `${repositoryPath(repository)}/${isFolder ? 'tree' : 'blob'}/${address}`,
          placeholder: `Move ${path}`,
          more: html`<p>
            <label
              ><input type="checkbox" name="references" value="yes" ${form.updatesReferences ? html`checked` : ''} />
              Update paths in LaTeX sources</label
            >
          </p>`,
          problems,
        })}
      </form>
      <p><a href="${repositoryPath(repository)}/delete/${address}">Delete this ${isFolder ? 'folder' : 'file'}</a></p>
    </section>`
  const title = `Move ${path} · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, status: isRefused(problems) ? 422 : 200 })
}
