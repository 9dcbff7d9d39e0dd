import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { encodeSourceText } from '../../domain/text/source-text.ts'
import { addFiles, addLimits } from '../../operations/edit/add-files.ts'
import type { AddOutcome } from '../../operations/edit/add-files.ts'
import { maxEditedBytes } from '../../operations/edit/merge-edit.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { readField, readFiles } from '../session/form.ts'
import { NotFound } from '../session/errors.ts'
import { readCommitForm } from './commit-fields.ts'
import type { CommitForm } from './commit-fields.ts'
import { formatBytes } from '../ui/format/format-bytes.ts'
import { findEditPlace } from './find-edit-place.ts'
import type { EditPlace } from './find-edit-place.ts'
import { sendAddForms } from './add-forms.ts'

/** `GET /{owner}/{repo}/new/{branch}/{folder}`. */
export async function showAddFiles(c: Context, deps: Deps): Promise<Response> {
  const place = await findEditPlace(c, deps)
  const { repository, branch, headId, path } = place
  const isFolder = headId === null ? path === '' : (await deps.git.listFolder(repository.id, headId, path)) !== null
  if (!isFolder) throw new NotFound(`${branch} has no folder ${path}.`)
  return sendAddForms(c, deps, { place })
}

/** `POST /{owner}/{repo}/new/{branch}/{folder}`: a file that was written in the page. */
export async function postNewFile(c: Context, deps: Deps): Promise<Response> {
  const place = await findEditPlace(c, deps)
  const commit = await readCommitForm(c)
  const text = readField(c, 'text')
  const path = readField(c, 'path').trim().normalize('NFC')
  const newFile = { path, text, commit }
  const bytes = encodeSourceText(text, null)
  const unfit = refuseText(bytes)
  if (unfit !== null) return sendAddForms(c, deps, { place, newFile, problems: { text: unfit } })
  const outcome = await addFiles(deps, {
    ...(await readTarget(c, place, commit)),
    message: commit.message === '' ? `Add ${path}` : commit.message,
    files: new Map([[path, bytes]]),
    replaces: false,
  })
  const problems = problemsOf(outcome, { path: 'path', id: '' })
  if (problems !== null) return sendAddForms(c, deps, { place, newFile, problems })
  const branch = commit.to === 'new' ? commit.newBranch : place.branch
  const href = `${repositoryPath(place.repository)}/blob/${encodePath(branch)}/${encodePath(path)}`
  return c.redirect(`${href}?after=commit`, 303)
}

/** `POST /{owner}/{repo}/upload/{branch}/{folder}`: files from the machine of whoever looks. */
export async function postUpload(c: Context, deps: Deps): Promise<Response> {
  const place = await findEditPlace(c, deps)
  const commit = await readCommitForm(c)
  const files = readFiles(c, 'files')
  const unfit = refuseFiles(files)
  if (unfit !== null) return sendAddForms(c, deps, { place, upload: commit, problems: { files: unfit } })
  const folder = place.path === '' ? '' : `${place.path}/`
  const named = files.map(async (file) => [folder + file.name.normalize('NFC'), await file.bytes()] as const)
  const [first] = files
  const usual = files.length === 1 ? `Add ${folder}${first?.name}` : `Add ${countOf(files.length, 'file')}`
  const outcome = await addFiles(deps, {
    ...(await readTarget(c, place, commit)),
    message: commit.message === '' ? usual : commit.message,
    files: new Map(await Promise.all(named)),
    replaces: true,
  })
  const problems = problemsOf(outcome, { path: 'files', id: 'upload-' })
  if (problems !== null) return sendAddForms(c, deps, { place, upload: commit, problems })
  const branch = commit.to === 'new' ? commit.newBranch : place.branch
  const path = place.path === '' ? '' : `/${encodePath(place.path)}`
  return c.redirect(`${repositoryPath(place.repository)}/tree/${encodePath(branch)}${path}`, 303)
}

async function readTarget(c: Context, { repository, caller, branch }: EditPlace, { to, newBranch }: CommitForm) {
  const openedId = readField(c, 'opened')
  return {
    repository,
    caller,
    branch,
    newBranch: to === 'new' ? newBranch : null,
    openedId: openedId === '' ? null : openedId,
  }
}

function refuseText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return 'The text has a character that no text file has.'
  return bytes.byteLength > maxEditedBytes ? 'The text is larger than 1 MB. Split the file, or upload it.' : null
}

function refuseFiles(files: readonly File[]): string | null {
  if (files.length === 0) return 'Choose at least one file.'
  const again = 'Nothing was uploaded. Choose again: a browser forgets which files were chosen.'
  if (files.length > addLimits.files)
    return `You chose ${files.length} files, and at most ${addLimits.files} go at once. ${again}`
  const large = files.find(({ size }) => size > addLimits.fileBytes)
  if (large !== undefined)
    return `"${large.name}" has ${formatBytes(large.size)}, and a file has at most ${addLimits.fileBytes / 1e6} MB. ${again}`
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > addLimits.totalBytes)
    return `The files have ${formatBytes(total)} together, and at most ${addLimits.totalBytes / 1e6} MB go at once. ${again}`
  const names = files.map(({ name }) => name.normalize('NFC'))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? null : `Two of the files are called "${twice}". ${again}`
}

/** What to say at which field; null where it is done. */
function problemsOf(outcome: AddOutcome, at: { readonly path: string; readonly id: string }) {
  if (outcome.kind !== 'refused') return null
  const ids = { branch: `${at.id}new-branch`, message: `${at.id}message`, path: at.path, none: 'form' }
  return { [ids[outcome.field ?? 'none']]: outcome.problem }
}
