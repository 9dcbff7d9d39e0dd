import type { Build, BuildRecord } from '../../domain/build.ts'
import type { PapersContext } from './queue-documents.ts'
import type { Paper, PaperRef, PdfStatus } from '../types.ts'

/** Finds the newest build of a document of a ref, and the PDF to show. */
export async function findPaper(repositoryId: number, of: PaperRef, context: PapersContext): Promise<Paper | null> {
  const { builds } = context.store
  const last = await builds.findNewest(repositoryId, { ref: of.ref, document: null })
  if (last === null) return null
  const documents = await builds.listOfCommit(repositoryId, last.commitId)
  const document = of.document ?? documents[0]?.document ?? last.document
  const newest = await builds.findNewest(repositoryId, { ref: of.ref, document })
  if (newest === null) return null
  const shown = await findShown(await builds.findNewestWithPdf(repositoryId, { ref: of.ref, document }), context)
  return describePaper({ documents, newest, shown }, of.commitId, context)
}

/** Finds a document as built from one commit, whichever ref requested it. */
export async function findPaperOfCommit(
  repositoryId: number,
  of: { readonly commitId: string; readonly document: string | null },
  context: PapersContext,
): Promise<Paper | null> {
  const { builds } = context.store
  const documents = await builds.listOfCommit(repositoryId, of.commitId)
  const wanted = of.document === null ? documents[0] : documents.find(({ document }) => document === of.document)
  const newest = wanted === undefined ? null : await builds.find(wanted.id)
  if (newest === null) return null
  // Another ref may have requested a build of the commit later, which is not over, or has no PDF.
  const withPdf = newest.state === 'succeeded' ? newest : await builds.findWithPdfOfCommit(repositoryId, newest)
  const shown = await findShown(withPdf, context)
  return describePaper({ documents, newest, shown }, of.commitId, context)
}

async function describePaper(
  { documents, newest, shown }: Pick<Paper, 'documents' | 'newest'> & { readonly shown: Build | null },
  headCommitId: string,
  context: PapersContext,
): Promise<Paper> {
  const displayed = shown && { build: shown, status: pdfStatusOf(shown, newest, headCommitId) }
  const isCover = displayed?.status === 'current' || documents.length === 1
  const cover = isCover ? shown : ((await findGood(documents, context)) ?? shown)
  return { documents, document: newest.document, newest, shown: displayed, cover }
}

/** The first document without errors whose PDF is stored. */
async function findGood(documents: readonly BuildRecord[], { pdfs }: PapersContext): Promise<BuildRecord | null> {
  for (const build of documents) {
    if (build.state === 'succeeded' && build.pdfId !== null && (await pdfs.has(build.pdfId))) return build
  }
  return null
}

/** A PDF that is missing from the cache is not shown. Reading queues nothing: the page offers to build it again. */
async function findShown(shown: Build | null, { pdfs }: PapersContext): Promise<Build | null> {
  if (shown === null || shown.pdfId === null) return null
  return (await pdfs.has(shown.pdfId)) ? shown : null
}

function pdfStatusOf(shown: Build, newest: Build, headCommitId: string): PdfStatus {
  if (newest.state === 'queued' || newest.state === 'running') return 'building'
  if (newest.commitId !== headCommitId) return 'behind'
  if (shown.id !== newest.id) return 'older'
  return shown.errors.length > 0 ? 'flawed' : 'current'
}
