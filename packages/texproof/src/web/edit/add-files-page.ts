/** `/{owner}/{repo}/new/{branch}/{folder}`: adds files, uploaded or written in the page. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { addLimits } from '../../operations/edit/add-files.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { formToken, readField } from '../session/form.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { commitFields } from './commit-fields.ts'
import { newCommitForm } from './read-edit-form.ts'
import type { CommitForm } from './read-edit-form.ts'
import { fileField } from '../ui/form/file-field.ts'
import { describedBy, fieldProblem, formProblems, isRefused, noProblems } from '../ui/form/form-problems.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { pathField, textField } from './source-fields.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import type { EditLocation } from './find-edit-location.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'

/** Values of the form for a file written in the page. */
export interface NewFileForm {
  readonly path: string
  readonly text: string
  readonly commit: CommitForm
}

interface AddForms {
  /** `path` is the folder, or the path of a file that was deleted in the meantime. */
  readonly location: EditLocation
  /** null = initial state. */
  readonly newFile?: NewFileForm | null
  /** null = initial state. */
  readonly upload?: CommitForm | null
  readonly problems?: FormProblems
  /** Discards the draft that the new file has the text of. @default none */
  readonly discard?: Html | ''
}

/** The page, with the problems of a refused form. */
export async function sendAddFilesPage(
  c: Context,
  { git }: Deps,
  { location, newFile = null, upload = null, problems = noProblems, discard = '' }: AddForms,
): Promise<Response> {
  const { repository, branch, headId, path, caller } = location
  const branches = await git.listBranches(repository.id)
  const opened = newCommitForm('', { login: caller.user.login, branches })
  const folder = await findFolder(git, location)
  const view = { location, folder, problems, choice: branches.length === 0 ? null : branch }
  const written = newFile ?? { path: folder === '' ? '' : `${folder}/`, text: '', commit: opened }
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">
      ${folder === '' ? '' : breadcrumb({ repository, ref: { name: branch }, path: folder, isHeading: false })}
    </div>
    <section class="edit" aria-labelledby="edit-title">
      <h1 id="edit-title">Add files${folder === '' ? '' : ` to ${folder}`} <span class="quiet">on ${branch}</span></h1>
      ${formProblems(problems)} ${discard}
      ${newFile === null ? uploadForm(c, { ...view, isFirst: newFile === null }, upload ?? opened) : ''}
      ${newFileForm(c, { ...view, isFirst: newFile !== null }, written)}
      ${newFile === null ? '' : uploadForm(c, { ...view, isFirst: newFile === null }, upload ?? opened)}
    </section>`
  return sendPage(c, {
    title: `Add files${path === '' ? '' : ` to ${path}`} · ${repository.owner.login}/${repository.name}`,
    main,
    status: isRefused(problems) ? (headId !== null && problems['form'] !== undefined ? 409 : 422) : 200,
    scripts: ['editor'],
  })
}

/** The folder of the address; the root folder if it does not exist. */
async function findFolder(git: Deps['git'], { repository, headId, path }: EditLocation): Promise<string> {
  if (path === '' || headId === null) return ''
  return (await git.listFolder(repository.id, headId, path)) === null ? '' : path
}

interface FormView {
  /** Whether it is the first of the two forms. */
  readonly isFirst: boolean
  readonly location: EditLocation
  readonly folder: string
  readonly problems: FormProblems
  readonly choice: string | null
}

function uploadForm(c: Context, { location, folder, problems, choice, isFirst }: FormView, commit: CommitForm): Html {
  const { files, fileBytes, totalBytes } = addLimits
  return html`<form
    method="post"
    action="${actionOf('upload', location, folder)}"
    enctype="multipart/form-data"
    aria-labelledby="upload"
  >
    <h2 id="upload">Upload</h2>
    ${carried(c, location)}
    <p class="field">
      <label for="files">Files</label>
      ${fieldProblem('files', problems)}
      ${fileField('files', addLimits, html`id="files" name="files" ${describedBy('files', { hasHint: true, problems })}`)}
      <span class="quiet" id="files-hint"
        >At most ${files} files, ${formatBytes(fileBytes)} per file and ${formatBytes(totalBytes)} in total. Files with
        the same name are replaced.</span
      >
    </p>
    <p class="field">
      <label for="folder">Or a folder</label>
      ${fileField('folder', addLimits, html`id="folder" name="files" aria-describedby="folder-hint"`)}
      <span class="quiet" id="folder-hint">Choose a folder, or drop it here. Its files keep their paths.</span>
    </p>
    ${commitFields(commit, { branch: choice, isPrimary: isFirst, button: 'Upload files', cancelHref: treeHref(location, folder), placeholder: 'Add files', problems, id: 'upload-' })}
  </form>`
}

function newFileForm(c: Context, { location, folder, problems, choice, isFirst }: FormView, form: NewFileForm): Html {
  return html`<form
    method="post"
    action="${actionOf('new', location, folder)}"
    enctype="multipart/form-data"
    aria-labelledby="write"
    data-edit-form
    ${isRefused(problems) ? html`data-unsaved` : ''}
  >
    <h2 id="write">New file</h2>
    ${carried(c, location)}
    ${pathField(form.path, { hint: 'For example sections/method.tex. Missing folders are created.', problems })}
    ${textField(form.text, { rows: 14, problems })}
    ${commitFields(form.commit, { branch: choice, isPrimary: isFirst, button: 'Add file', cancelHref: treeHref(location, folder), placeholder: 'Add the file', problems })}
  </form>`
}

/** If the branch was deleted in the meantime, a new branch starts at the commit at which the page was opened. */
function carried(c: Context, { branch, headId }: EditLocation): Html {
  return html`${formToken(c)} <input type="hidden" name="branch" value="${branch}" />
    <input type="hidden" name="opened" value="${headId ?? readField(c, 'opened')}" />`
}

function actionOf(act: 'new' | 'upload', { repository, branch }: EditLocation, folder: string): string {
  return `${repositoryPath(repository)}/${act}/${encodePath(branch)}${folder === '' ? '' : `/${encodePath(folder)}`}`
}

function treeHref({ repository, branch, headId }: EditLocation, folder: string): string {
  if (headId === null) return repositoryPath(repository)
  return `${repositoryPath(repository)}/tree/${encodePath(branch)}${folder === '' ? '' : `/${encodePath(folder)}`}`
}
