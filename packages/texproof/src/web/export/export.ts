import type { Context } from 'hono'

import { repositoryPath } from '../../domain/page-urls.ts'
import type { Deps } from '../../operations/deps.ts'
import type { ExportJobs } from '../../operations/export/export-jobs.ts'
import type { PackTarget } from '../../operations/export/types.ts'
import type { Paper } from '../../papers/types.ts'
import { NotFound } from '../session/errors.ts'
import { findSignedIn } from '../session/find-caller.ts'
import { readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository, type ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { contentDisposition } from '../shell/response/file-headers.ts'
import { sendExportForm, sendExportPage } from './export-page.ts'

/** Dependencies of the export pages. */
export interface ExportDeps extends Deps {
  readonly exports: ExportJobs
}

/** The document to export. */
export interface ExportedDocument {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly paper: Paper
  /** Document name in the address; null = the first document. */
  readonly document: string | null
}

/** `GET /{owner}/{repo}/export/{ref}`: chooses the target and the changes. */
export async function showExportForm(c: Context, deps: Deps): Promise<Response> {
  const exported = await findExportedDocument(c, deps)
  const options = { isFlat: false, withoutComments: false, withoutNotes: false, isAnonymous: false }
  return sendExportForm(c, exported, { target: readTarget(c.req.query('for')), options, problem: null })
}

/** `POST` of the same: starts the export and redirects to its page. */
export async function postExport(c: Context, deps: ExportDeps): Promise<Response> {
  const exported = await findExportedDocument(c, deps)
  const { repository, ref, paper } = exported
  const target = readTarget(readField(c, 'for'))
  const options = {
    isFlat: readField(c, 'flat') === 'yes',
    withoutComments: readField(c, 'comments') === 'no',
    withoutNotes: readField(c, 'notes') === 'no',
    isAnonymous: readField(c, 'anonymous') === 'yes',
  }
  const version = ref.kind === 'commit' ? ref.commitId.slice(0, 10) : ref.name
  const id = deps.exports.start({
    userId: requireViewer(c).user.id,
    ownerId: repository.owner.id,
    build: paper.newest,
    target,
    options,
    name: `${repository.name}-${version.replaceAll(/[^\w.-]+/g, '-')}`,
  })
  const problem = 'Too many exports are running. Try again in a few minutes.'
  if (id === null) return sendExportForm(c, exported, { target, options, problem })
  return c.redirect(`${repositoryPath(repository)}/exports/${id}`, 303)
}

/** `GET /{owner}/{repo}/exports/{id}`: the progress, then the report and the package. */
export async function showExport(c: Context, deps: ExportDeps): Promise<Response> {
  const repository = await findExportRepository(c, deps)
  const job = deps.exports.find(requireViewer(c).user.id, c.req.param('id') ?? '')
  if (job?.request.build.repositoryId !== repository.id)
    throw new NotFound('The export has expired. Export the document again.')
  return sendExportPage(c, repository, job)
}

/** `GET /{owner}/{repo}/exports/{id}/{file}`: the package. */
export async function sendPackage(c: Context, deps: ExportDeps): Promise<Response> {
  const repository = await findExportRepository(c, deps)
  const { user } = requireViewer(c)
  const id = c.req.param('id') ?? ''
  const job = deps.exports.find(user.id, id)
  const zip = await deps.exports.readZip(user.id, id)
  if (job?.state.kind !== 'packed' || job.request.build.repositoryId !== repository.id || zip === null)
    throw new NotFound('The package has expired. Export the document again.')
  return c.body(Buffer.from(zip), 200, {
    'content-type': 'application/zip',
    'content-disposition': contentDisposition('attachment', job.state.made.fileName),
    'cache-control': 'private, no-store',
  })
}

/** An export uses two compiles, so it needs an account. */
async function findExportRepository(c: Context, deps: Deps): Promise<ViewedRepository> {
  requireViewer(c)
  return findViewedRepository(c, deps, { caller: findSignedIn(c) })
}

async function findExportedDocument(c: Context, deps: Deps): Promise<ExportedDocument> {
  const repository = await findExportRepository(c, deps)
  const name = c.req.param('rest') ?? ''
  const ref = await resolveRef(deps.git, repository.id, name)
  if (ref === null) throw new NotFound(`Branch, tag or commit ${name} not found.`)
  const document = c.req.query('doc') ?? null
  const paper = await findRefPaper(deps, repository.id, { ref, document })
  if (paper === null) throw new NotFound(`${ref.name} has no PDF: build it first.`)
  return { repository, ref, paper, document }
}

function readTarget(value: string | undefined): PackTarget {
  return value === 'journal' ? 'journal' : 'arxiv'
}
