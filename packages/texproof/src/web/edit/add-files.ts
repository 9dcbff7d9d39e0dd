import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { encodeSourceText, unifyLines } from '../../domain/text/source-text.ts'
import { addFiles, addLimits } from '../../operations/edit/add-files.ts'
import { maxEditedBytes } from '../../operations/edit/merge-edit.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { readField, readFiles } from '../session/form.ts'
import type { FormFile } from '../session/parse-form.ts'
import { NotFound } from '../session/errors.ts'
import { commitTarget, findCommittedBranch, readCommitForm, toFieldProblems } from './read-edit-form.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { endDraftOfNewFile } from './draft.ts'
import { findEditLocation } from './find-edit-location.ts'
import { sendAddFilesPage } from './add-files-page.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

/** `GET /{owner}/{repo}/new/{branch}/{folder}`. */
export async function showAddFiles(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const { repository, branch, headId, path } = location
  const isFolder = headId === null ? path === '' : (await deps.git.listFolder(repository.id, headId, path)) !== null
  if (!isFolder) throw new NotFound(`There is no folder ${path} on ${branch}.`)
  return sendAddFilesPage(c, deps, { location })
}

/** `POST /{owner}/{repo}/new/{branch}/{folder}`: a file written in the page. */
export async function postNewFile(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const commit = readCommitForm(c)
  const text = readField(c, 'text')
  const path = normalizeText(readField(c, 'path').trim())
  const newFile = { path, text, commit }
  const bytes = encodeSourceText(text, null)
  const unfit = refuseText(bytes)
  if (unfit !== null) return sendAddFilesPage(c, deps, { location, newFile, problems: { text: unfit } })
  const outcome = await addFiles(deps, {
    ...commitTarget(location, commit, { openedId: readField(c, 'opened'), defaultMessage: `Add ${path}` }),
    files: new Map([[path, bytes]]),
    replaces: false,
  })
  if (outcome.kind === 'refused')
    return sendAddFilesPage(c, deps, { location, newFile, problems: toFieldProblems(outcome) })
  // The text may be the draft of a file that others deleted.
  await endDraftOfNewFile(deps, { ...location, path }, unifyLines(text))
  const branch = await findCommittedBranch(deps, location, commit)
  const href = `${repositoryPath(location.repository)}/blob/${encodePath(branch)}/${encodePath(path)}`
  return c.redirect(`${href}?after=commit`, 303)
}

/** `POST /{owner}/{repo}/upload/{branch}/{folder}`: uploads files. */
export async function postUpload(c: Context, deps: Deps): Promise<Response> {
  const location = await findEditLocation(c, deps)
  const commit = readCommitForm(c)
  const files = readFiles(c, 'files')
  const unfit = refuseFiles(files)
  if (unfit !== null) return sendAddFilesPage(c, deps, { location, upload: commit, problems: { files: unfit } })
  const folder = location.path === '' ? '' : `${location.path}/`
  const named = files.map((file) => [folder + normalizeText(file.name), file.bytes] as const)
  const [first] = files
  const usual = files.length === 1 ? `Add ${folder}${first?.name}` : `Add ${countOf(files.length, 'file')}`
  const outcome = await addFiles(deps, {
    ...commitTarget(location, commit, { openedId: readField(c, 'opened'), defaultMessage: usual }),
    files: new Map(named),
    replaces: true,
  })
  if (outcome.kind === 'refused') {
    const problems = toFieldProblems(outcome, { prefix: 'upload-', pathId: 'files' })
    return sendAddFilesPage(c, deps, { location, upload: commit, problems })
  }
  const branch = await findCommittedBranch(deps, location, commit)
  const path = location.path === '' ? '' : `/${encodePath(location.path)}`
  return c.redirect(`${repositoryPath(location.repository)}/tree/${encodePath(branch)}${path}`, 303)
}

function refuseText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return 'The text contains a null character. Remove it.'
  return bytes.byteLength > maxEditedBytes ? 'The text is larger than 1 MB. Split the file, or upload it.' : null
}

function refuseFiles(files: readonly FormFile[]): string | null {
  if (files.length === 0) return 'Choose at least one file.'
  const again = 'Nothing was uploaded. Choose the files again.'
  if (files.length > addLimits.files)
    return `You chose ${files.length} files; the limit is ${addLimits.files} per upload. ${again}`
  const large = files.find(({ bytes }) => bytes.length > addLimits.fileBytes)
  if (large !== undefined)
    return `"${large.name}" is ${formatBytes(large.bytes.length)}; the limit is ${formatBytes(addLimits.fileBytes)} per file. ${again}`
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (total > addLimits.totalBytes)
    return `The files are ${formatBytes(total)} in total; the limit is ${formatBytes(addLimits.totalBytes)} per upload. ${again}`
  const names = files.map(({ name }) => normalizeText(name))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? null : `Two files are named "${twice}". ${again}`
}
