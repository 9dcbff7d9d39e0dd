import type { BuildRecord } from '../../domain/build.ts'
import { findDocumentsOfCommit } from '../detect/find-documents-of-commit.ts'
import { keepForTags } from './keep-for-tags.ts'
import { queueDocuments } from './queue-documents.ts'
import type { PapersContext } from './queue-documents.ts'
import type { RequestOutcome, WantedPaper } from '../types.ts'

/** Requested builds of one repository that may wait: a reader of a long history must not fill the queue. */
const MAX_WAITING = 8

/** Requests a build of every document of one commit, unless the ref shows one or it is in progress. */
export async function requestBuild(wanted: WantedPaper, context: PapersContext): Promise<RequestOutcome> {
  const { repository, ref, commitId } = wanted
  const { queue } = context
  if (repository.isDisabled) return 'disabled'
  if (await isShown(wanted, context)) return 'asked'
  if (queue.waitingOf(repository.id).length >= MAX_WAITING) return 'busy'
  const { builds, isOverLimit } = await queueDocuments({ repository, ref, commitId }, context, { isAsked: true })
  if (isOverLimit) return 'busy'
  // Waiting builds do this when they end.
  for (const build of builds) if (build.state !== 'queued') await keepForTags(build, context)
  return builds.length === 0 ? 'nothing' : 'asked'
}

/** Whether every document of the commit is built. A branch shows its own builds; a tag or commit shows the builds of any ref. */
async function isShown({ repository, ref, commitId }: WantedPaper, context: PapersContext): Promise<boolean> {
  const { builds } = context.store
  if (ref.startsWith('refs/heads/')) {
    const newest = await builds.findNewest(repository.id, { ref, document: null })
    if (newest?.commitId !== commitId) return false
  }
  const known = await builds.listOfCommit(repository.id, commitId)
  const isThere = await Promise.all(known.map((build) => isBuilt(build, context)))
  if (known.length === 0 || !isThere.every(Boolean)) return false
  // A build of one document may have been stopped, and a tag keeps only those with a PDF.
  const found = await findDocumentsOfCommit(context, repository, commitId)
  const names = new Set(known.map(({ document }) => document))
  return found.kind !== 'found' || found.documents.every(({ name }) => names.has(name))
}

/**
 * Whether another build would return the same result. It would not if the build ended before it started, or if its PDF
 * is lost.
 */
async function isBuilt({ state, startedAt, pdfId }: BuildRecord, { pdfs }: PapersContext): Promise<boolean> {
  if (state === 'queued' || state === 'running') return true
  return pdfId === null ? startedAt !== null : pdfs.has(pdfId)
}
