import type { BuildRecord } from '../../domain/build.ts'
import { queueDocuments } from './queue-documents.ts'
import type { PapersContext } from './queue-documents.ts'
import type { RequestOutcome, WantedPaper } from '../types.ts'

/** Requested builds of one repository that may wait: a reader of a long history must not fill the queue. */
const MAX_WAITING = 8

/** Requests a build of every document of one commit, unless one exists or is in progress. */
export async function requestBuild(
  { repository, ref, commitId }: WantedPaper,
  context: PapersContext,
): Promise<RequestOutcome> {
  const { store, queue } = context
  if (repository.isDisabled) return 'disabled'
  const known = await store.builds.listOfCommit(repository.id, commitId)
  const isThere = await Promise.all(known.map((build) => isBuilt(build, context)))
  if (known.length > 0 && isThere.every(Boolean)) return 'asked'
  if (queue.waitingOf(repository.id).length >= MAX_WAITING) return 'busy'
  const { builds } = await queueDocuments({ repository, ref, commitId }, context, { isAsked: true })
  return builds.length === 0 ? 'nothing' : 'asked'
}

/**
 * Whether another build would return the same result. It would not if the build ended before it started, or if its PDF
 * is lost.
 */
async function isBuilt({ state, startedAt, pdfId }: BuildRecord, { pdfs }: PapersContext): Promise<boolean> {
  if (state === 'queued' || state === 'running') return true
  return pdfId === null ? startedAt !== null : pdfs.has(pdfId)
}
