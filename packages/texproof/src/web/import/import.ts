import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseRepositoryName } from '../../domain/names.ts'
import type { Deps } from '../../operations/deps.ts'
import { findMissingPackages } from '../../operations/import/find-missing-packages.ts'
import { importArchive, inspectArchive } from '../../operations/import/import-archive.ts'
import type { ImportSource } from '../../operations/import/read-archive.ts'
import { suggestRepositoryName } from '../../operations/import/suggest-repository-name.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { readField, readFiles } from '../session/form.ts'
import type { FormFile } from '../session/parse-form.ts'
import { NotFound } from '../session/errors.ts'
import { requireViewer } from '../session/viewer.ts'
import type { FormProblems } from '../ui/form/form-problems.ts'
import { sendImportForm, sendImportPreview, type ImportForm } from './import-page.ts'
import type { PendingUploads } from './pending-uploads.ts'

/** Dependencies of the import pages. */
export interface ImportDeps extends Deps {
  readonly uploads: PendingUploads
}

const expired = 'The upload has expired. Import the file again.'

/** `GET /import`. */
export async function showImport(c: Context): Promise<Response> {
  requireViewer(c)
  return sendImportForm(c)
}

/** `POST /import`: keeps the upload and redirects to the page that shows its content. */
export async function postImport(c: Context, deps: ImportDeps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const source = readSource([...readFiles(c, 'archive'), ...readFiles(c, 'folder')])
  if (source === null) return sendImportForm(c, { archive: 'Choose a file or a folder.' })
  const summary = await inspectArchive(deps, source, user.id)
  if (summary.kind === 'refused') return sendImportForm(c, { archive: summary.problem })
  const missing = await findMissingPackages(deps, summary.packages)
  const id = await deps.uploads.add(session, source, { fileName: source.fileName, summary, missing })
  if (id === null) return sendImportForm(c, { form: 'Too many imports are waiting. Try again in a few minutes.' })
  return c.redirect(`/import/${id}`, 303)
}

/** One file is an archive or a source. Several are a folder: browsers send the paths of its files as their names. */
function readSource(files: readonly FormFile[]): ImportSource | null {
  const [first] = files
  if (first === undefined) return null
  const [folder = '', ...below] = first.name.split('/')
  if (files.length === 1 && below.length === 0) return { fileName: first.name, bytes: first.bytes }
  const entries = files.map(({ name, bytes }) => ({ name, kind: 'file' as const, size: bytes.length, bytes }))
  return { fileName: below.length === 0 ? 'paper' : folder, entries }
}

/** `GET /import/{id}`: shows what the archive contains before anything is created. */
export async function showUploadedArchive(c: Context, { uploads }: ImportDeps): Promise<Response> {
  const { session } = requireViewer(c)
  const id = c.req.param('id') ?? ''
  const upload = uploads.find(session.id, id)
  if (upload === null) throw new NotFound(expired)
  const form = { name: suggestRepositoryName(upload.fileName), isPrivate: true }
  return sendImportPreview(c, { id, upload, form })
}

/** `POST /import/{id}`: creates the repository, or discards the upload. */
export async function postUploadedArchive(c: Context, deps: ImportDeps): Promise<Response> {
  const { user, session } = requireViewer(c)
  const id = c.req.param('id') ?? ''
  if (readField(c, 'action') === 'discard') {
    await deps.uploads.remove(session.id, id)
    return c.redirect('/import', 303)
  }
  const upload = deps.uploads.find(session.id, id)
  const source = await deps.uploads.read(session.id, id)
  if (upload === null || source === null) throw new NotFound(expired)
  const form = { name: readField(c, 'name').trim(), isPrivate: readField(c, 'visibility') !== 'public' }
  const problems = await createFromUpload(deps, user, { form, source })
  if (problems !== null) return sendImportPreview(c, { id, upload, form, problems })
  await deps.uploads.remove(session.id, id)
  return c.redirect(`/${user.login}/${form.name}`, 303)
}

/** Returns the problems of the form; null = the repository was created. */
async function createFromUpload(
  deps: ImportDeps,
  owner: ReturnType<typeof requireViewer>['user'],
  { form, source }: { readonly form: ImportForm; readonly source: ImportSource },
): Promise<FormProblems | null> {
  const { baseUrl } = deps.config
  const name = parseRepositoryName(form.name)
  if (name === null) return { name: 'Use A–Z, a–z, 0–9, ".", "-" and "_", up to 100 characters.' }
  const details = {
    owner,
    name,
    description: null,
    visibility: form.isPrivate ? 'private' : 'public',
    authorEmail: `noreply@${new URL(baseUrl).hostname}`,
    projectUrl: `${baseUrl}/${owner.login}/${name}`,
  } as const
  const outcome = await importArchive(deps, details, source)
  switch (outcome.kind) {
    case 'created':
      return null
    case 'name-taken':
      return {
        name: `You already have a repository named ${name}. Choose another name.`,
        form: html`<a href="/${owner.login}/${name}">Open ${owner.login}/${name}</a>`,
      }
    case 'over-quota':
      return {
        form: `You have reached your limit of ${countOf(outcome.limit, 'repository', 'repositories')}. Delete one, or ask an administrator to raise your limit.`,
      }
    case 'refused':
      return { form: outcome.problem }
  }
}
