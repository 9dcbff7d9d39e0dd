import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import { pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import type { Paper } from '../../papers/types.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { repositoryCaching } from '../shell/response/repository-caching.ts'
import { pdfFileName, sendPdf } from '../shell/response/send-pdf.ts'
import { isPdfLost } from './pdf-banner.ts'
import { showPdfPage } from './pdf-page.ts'

/** `/{owner}/{repo}/pdf/{ref}` is the page of a PDF, `/{owner}/{repo}/pdf/{ref}.pdf` the PDF itself. */
export async function showPdf(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const name = c.req.param('rest') ?? ''
  const document = c.req.query('doc') ?? null
  const fileRef = name.endsWith('.pdf')
    ? await resolveRef(deps.git, repository.id, name.slice(0, -'.pdf'.length))
    : null
  if (fileRef !== null) return sendRefPdf(c, deps, { repository, ref: fileRef, document })
  const ref = await resolveRef(deps.git, repository.id, name)
  // Before the first push there is no branch; the home of the repository explains how to create one.
  if (ref === null && name === repository.defaultBranch && (await deps.git.listBranches(repository.id)).length === 0)
    return c.redirect(repositoryPath(repository), 303)
  if (ref === null) throw new NotFound(`Branch, tag or commit ${name} not found.`)
  return showPdfPage(c, deps, { repository, ref, document })
}

/** `/{owner}/{repo}/pdf`: the PDF of the default branch. */
export async function redirectToDefaultPdf(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  return c.redirect(pdfPath(repository, repository.defaultBranch, c.req.query('doc') ?? null))
}

export interface PdfView {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly document: string | null
}

/** The newest successful PDF of a branch can change, so it is revalidated; the PDF of a commit cannot. */
async function sendRefPdf(c: Context, deps: Deps, view: PdfView): Promise<Response> {
  const { repository, ref } = view
  const paper = await findRefPaper(deps, repository.id, view)
  const shown = paper?.shown ?? null
  const file = shown?.build.pdfId ? await deps.papers.findPdfFile(shown.build.pdfId) : null
  if (paper === null || shown === null || file === null) throw new NotFound(describeAbsence(paper, ref))
  const isForEver = ref.kind === 'commit' && shown.status === 'current'
  return sendPdf(c, {
    ...shown,
    file,
    newestNumber: paper.newest.number,
    fileName: pdfFileName(repository, ref, paper),
    cacheControl: repositoryCaching(repository, { isForEver }),
  })
}

/** Why there is no PDF, for a caller who may see the branch. */
function describeAbsence(paper: Paper | null, ref: ResolvedRef): string {
  if (paper === null) return `${ref.name} has no PDF: no build has run for it.`
  const { number } = paper.newest
  if (isInProgress(paper.newest))
    return `${ref.name} has no PDF yet: build ${number} is in progress. Try again in a moment.`
  if (isPdfLost(paper))
    return `The PDF of build ${number} is no longer stored. Open the page of ${ref.name} to build it again.`
  return `${ref.name} has no PDF: build ${number} failed, and there is no older one.`
}
