import type { Parsers } from '../../base/open-parsers.ts'
import type { Config } from '../../config/read-config.ts'
import type { Build, NewBuild } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'
import type { BuildQueue } from '../build/build-queue.ts'
import type { BuildTrigger, PaperDocument } from '../detect/types.ts'
import { findDocumentsOfCommit } from '../detect/find-documents-of-commit.ts'
import type { PdfStore } from '../cache/pdf-store.ts'
import { hasResult, reuseResult } from '../build/reuse-result.ts'
import type { PushedBranch, QueuedPush } from '../types.ts'

/**
 * Builds that may wait on behalf of an owner. A single push can move thousands of refs to a commit with a hundred documents, and
 * every waiting build takes memory, even after a restart.
 */
export const MAX_WAITING = 10_000

export interface PapersContext {
  readonly config: Config
  readonly git: GitStore
  readonly parsers: Parsers
  readonly store: Store
  readonly pdfs: PdfStore
  readonly queue: BuildQueue
}

/**
 * Finds the documents at a ref's commit and queues a build of each. The same files are not built twice.
 *
 * `isAsked` = a user requested this commit: it is built even if the repository does not build automatically.
 */
export async function queueDocuments(
  branch: PushedBranch,
  context: PapersContext,
  options: { readonly isAsked?: boolean } = {},
): Promise<QueuedPush> {
  return startBuilds(await addBuilds(branch, context, options), context)
}

/** Does the first half: stores the builds. They replace no earlier ones yet, and must be started or discarded. */
export async function addBuilds(
  branch: PushedBranch,
  context: PapersContext,
  { isAsked = false }: { readonly isAsked?: boolean } = {},
): Promise<QueuedPush> {
  const { repository, ref, commitId } = branch
  const { git, store, queue } = context
  const nothing = { branch, builds: [], isOverLimit: false }
  const commit = await git.findCommit(repository.id, commitId)
  if (commit === null) return { ...nothing, found: { kind: 'none', near: null } }
  const found = await findDocumentsOfCommit(context, repository, commitId)
  if (found.kind !== 'found') return { ...nothing, found }
  const place = { repositoryId: repository.id, ref, commitId, treeId: commit.treeId }
  const ofDocuments = found.documents.map((document) => toNewBuild(document, place))
  const isWanted = isAsked || isDue(found.trigger, { ref, defaultBranch: repository.defaultBranch })
  const wanted = isWanted ? ofDocuments : await listKept(ofDocuments, context)
  if (wanted.length === 0) return { ...nothing, found }
  if (queue.countWaiting(repository.owner.id) >= MAX_WAITING) return { ...nothing, found, isOverLimit: true }

  const builds = await store.builds.addAll(wanted)
  queue.expect(idsOf(builds))
  return { ...nothing, found, builds }
}

/** Does the second half: replaces earlier builds of the ref, and ends or runs the stored ones. */
export async function startBuilds(added: QueuedPush, context: PapersContext): Promise<QueuedPush> {
  const { store, queue } = context
  const [first] = added.builds
  try {
    // The queue of this process replaces its own builds; other servers detect the change.
    if (first !== undefined && store.instances !== null) await store.builds.cancelReplaced(first)
    const builds: Build[] = []
    for (const build of added.builds) {
      // An error here is not fatal: the build checks again when it starts. Without a build, it would wait for the next
      // start of the server.
      builds.push((await reuseResult(build, context).catch(() => null)) ?? build)
    }
    queue.add(builds, { ownerId: added.branch.repository.owner.id })
    return { ...added, builds }
  } finally {
    queue.forget(idsOf(added.builds))
  }
}

/** Instead of the second half: cancels the stored builds. */
export async function discardBuilds(added: readonly QueuedPush[], { store, queue }: PapersContext): Promise<void> {
  const ids = added.flatMap(({ builds }) => idsOf(builds))
  try {
    await store.builds.cancel(ids)
  } finally {
    queue.forget(ids)
  }
}

function idsOf(builds: readonly Build[]): readonly number[] {
  return builds.map(({ id }) => id)
}

/** Whether a push to a ref is built. Tags are named versions: they are built unless the repository does not build automatically. */
export function isDue(
  trigger: BuildTrigger,
  { ref, defaultBranch }: { readonly ref: string; readonly defaultBranch: string },
): boolean {
  if (trigger === 'demand') return false
  return trigger === 'branches' || ref.startsWith('refs/tags/') || ref === `refs/heads/${defaultBranch}`
}

/**
 * Of builds that are not due, the builds of a tag that would end with a stored result. They keep the PDFs of a tag when the
 * PDFs of the branch for which they were built are removed.
 */
async function listKept(builds: readonly NewBuild[], context: PapersContext): Promise<readonly NewBuild[]> {
  const kept: NewBuild[] = []
  for (const build of builds)
    // An error must not affect the push: without a build, the PDF is kept as long as the PDF of the branch.
    if (build.ref.startsWith('refs/tags/') && (await hasResult(build, context).catch(() => false))) kept.push(build)
  return kept
}

function toNewBuild(
  { rootFile, name, engine, bibliography, reason }: PaperDocument,
  place: Pick<NewBuild, 'repositoryId' | 'ref' | 'commitId' | 'treeId'>,
): NewBuild {
  return { ...place, rootFile, document: name, engine, bibliography, reason }
}
