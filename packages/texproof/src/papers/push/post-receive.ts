import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Logger } from 'pino'

import { createLimiter } from '../../base/limiter.ts'
import type { Build, BuildRecord } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { RefUpdate } from '../../git/types.ts'
import type { JournalEntry } from '../../store/repositories/push-journal.ts'
import { findDocumentsOfCommit } from '../detect/find-documents-of-commit.ts'
import { addBuilds, discardBuilds, startBuilds, type PapersContext } from '../request/queue-documents.ts'
import type { QueuedPush } from '../types.ts'

const HEADS = 'refs/heads/'
/** Larger pushes have their refs packed first. */
const MANY_REFS = 50
/** Builds of refs at the same commit that are queued together: each look at the refs reads young ones from disk. */
const QUEUED_AT_ONCE = 50

/**
 * Runs after git has moved refs, by a push or in the browser: chooses a default branch if there is none yet, replaces the
 * builds of the branches and tags that moved, revokes the share links of those that were deleted, and records who moved them
 * and when, which removes the journal entry.
 *
 * Reads the refs themselves instead of git's report: they are the state of the repository. `isRepeat` = an earlier
 * attempt, perhaps of a process that crashed, may have done some of the steps; every step can be repeated. Resolves to null
 * if the repository is in the trash, where its entry stays until it is restored.
 *
 * @throws the reason of `signal` when it aborts; the entry then stays.
 */
export async function runPostReceive(
  entry: JournalEntry,
  context: PapersContext,
  { isRepeat, signal, log }: { readonly isRepeat: boolean; readonly signal: AbortSignal; readonly log: Logger },
): Promise<readonly QueuedPush[] | null> {
  const { git, store } = context
  const found = await store.repositories.findById(entry.repositoryId)
  if (found === null) return null
  // Each ref is read several times below, and a new loose ref is read from disk each time.
  if (entry.updates.length > MANY_REFS) await git.maintain(found.id)
  // Listed before the refs are read: later pushes queue builds of commits that this push does not contain.
  const inProgress = await store.builds.listInProgress(found.id)
  // Reads one snapshot: while refs are young, each look reads them from disk.
  const current = await git.findRefs(
    entry.repositoryId,
    entry.updates.map(({ ref }) => ref),
  )
  // A later push may have moved a ref again, even before the first attempt.
  const moved = await store.pushJournal.listMoved(entry, current)
  const isDefaultBranch = entry.updates.length === 0
  const repository =
    isDefaultBranch || moved.length > 0 ? await updateDefaultBranch(context, found, { moved, isRepeat }) : found
  const targets: Target[] = []
  const heads = new Map<string, string | null>()
  for (const { ref, newCommitId } of moved) {
    const target = await findTarget(context, { repository, ref, current })
    heads.set(ref, target?.commitId ?? null)
    // In a first attempt, the post-receive of a later push is pending or running.
    const isNewest = (current.get(ref) ?? null) === newCommitId
    if (target !== null && (isNewest || isRepeat)) targets.push(target)
  }
  await cancelOutdated(context, { inProgress, heads })
  await revokeShareLinks(context, { repository, entry, moved, until: isRepeat ? entry.createdAt : Date.now() })
  const isQueued = isRepeat ? (newest: Build): boolean => newest.createdAt >= entry.createdAt : null
  const queued = await queueBuilds(context, { repository, targets, isQueued, signal })
  await store.pushJournal.finish(entry, moved, isRepeat ? { at: entry.createdAt } : {})
  if (moved.length > 0) await measureSize(repository.id, context, log)
  if (moved.length > 0) void git.maintain(repository.id)
  return queued
}

/** A fault is only logged: the push has been recorded, and the next one measures the size again. */
async function measureSize(repositoryId: number, { git, store }: PapersContext, log: Logger): Promise<void> {
  try {
    await store.quotas.setRepositorySize(repositoryId, await git.measure(repositoryId))
  } catch (error) {
    log.error({ err: error, repositoryId }, 'measure the size of a repository')
  }
}

/**
 * Does the same for every branch and tag of a repository whose pushes were not recorded, or that was in the trash:
 * queues a build if the newest one is of another commit, was cancelled, or has lost its PDF, because a backup contains only
 * the PDFs of tags. False if the repository is disabled, because its builds would be cancelled, or in the trash: it may be
 * restored right now.
 */
export async function queueMissingBuilds(
  repositoryId: number,
  context: PapersContext,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  const { git, store, pdfs } = context
  const found = await store.repositories.findById(repositoryId)
  if (found === null) return [null, 'removing'].includes(await store.repositories.findState(repositoryId))
  const heads = (await git.listBranches(repositoryId)).map(({ name, commitId }) => ({ ref: HEADS + name, commitId }))
  const tags = (await git.listTags(repositoryId)).map(({ name, commitId }) => ({ ref: `refs/tags/${name}`, commitId }))
  const moved = heads.map(({ ref, commitId }) => ({ ref, oldCommitId: null, newCommitId: commitId }))
  const repository = await updateDefaultBranch(context, found, { moved, isRepeat: true })
  if (repository.isDisabled) return false
  const isQueued = async ({ state, pdfId }: Build): Promise<boolean> =>
    state !== 'cancelled' && (pdfId === null || (await pdfs.has(pdfId)))
  await queueBuilds(context, { repository, targets: [...heads, ...tags], isQueued, signal })
  return true
}

/** A branch or tag and the commit that it points to. */
interface Target {
  readonly ref: string
  readonly commitId: string
}

/** Between the check for a build and its creation, a recovered push and a restore must not both create one. */
const checkLimiter = createLimiter({ atOncePerKey: 1 })

/** null = no build can be queued yet. */
type IsQueued = ((newest: Build) => boolean | Promise<boolean>) | null

/** Queues builds of each target, unless its newest build is of the same commit and counts as queued. */
async function queueBuilds(
  context: PapersContext,
  options: {
    readonly repository: Repository
    readonly targets: readonly Target[]
    readonly isQueued: IsQueued
    readonly signal: AbortSignal
  },
): Promise<readonly QueuedPush[]> {
  const { repository, targets, isQueued, signal } = options
  const queued: QueuedPush[] = []
  // First, because the number of builds is limited.
  const isDefault = ({ ref }: Target): boolean => ref === HEADS + repository.defaultBranch
  const ordered = [...targets.filter(isDefault), ...targets.filter((target) => !isDefault(target))]
  for (const { commitId, refs } of groupByCommit(ordered)) {
    // Finding the documents of a large project takes seconds. A later push may have moved the refs and queued their builds.
    const found = await findDocumentsOfCommit(context, repository, commitId)
    const refsAtOnce = found.kind === 'found' ? Math.ceil(QUEUED_AT_ONCE / found.documents.length) : QUEUED_AT_ONCE
    for (let start = 0; start < refs.length; start += refsAtOnce) {
      signal.throwIfAborted()
      // With everything in memory, the work for thousands of refs would be a single turn of the event loop.
      await nextTurn()
      const some = refs.slice(start, start + refsAtOnce)
      queued.push(...(await queueBuildsOfCommit(context, { repository, commitId, refs: some, isQueued })))
    }
  }
  return queued
}

interface CommitTargets {
  readonly repository: Repository
  readonly commitId: string
  readonly refs: readonly string[]
  readonly isQueued: IsQueued
}

/** Does this for refs at one commit, unless they have moved. */
async function queueBuildsOfCommit(context: PapersContext, targets: CommitTargets): Promise<readonly QueuedPush[]> {
  const { repository, refs } = targets
  const { git } = context
  const stored = new Set<QueuedPush>()
  const queued: QueuedPush[] = []
  try {
    const before = await git.findRefs(repository.id, refs)
    const failure = await addBuildsOfRefs(context, { ...targets, current: before, stored })
    // The builds of a push that moves a ref after this look have higher numbers, and replace these. One that has moved it
    // before may have stored its builds first: they must not be replaced.
    const after = await git.findRefs(repository.id, refs)
    for (const push of stored) {
      const { ref } = push.branch
      if (after.get(ref) === before.get(ref)) queued.push(await startBuilds(push, context))
      else await discardBuilds([push], context)
      stored.delete(push)
    }
    if (failure !== null) throw failure
    return queued
  } catch (error) {
    // The next attempt would regard them as queued. If this fails too, they start when they are considered abandoned.
    await discardBuilds([...stored], context).catch(() => {})
    throw error
  }
}

/** Adds to `stored`, and stops at the first failure, which it returns: the next attempt finds what is stored by then. */
async function addBuildsOfRefs(
  context: PapersContext,
  {
    stored,
    ...targets
  }: CommitTargets & { readonly current: ReadonlyMap<string, string>; readonly stored: Set<QueuedPush> },
): Promise<Error | null> {
  try {
    for (const ref of targets.refs) {
      const push = await addBuildsOfRef(context, { ...targets, ref })
      if (push !== null) stored.add(push)
    }
    return null
  } catch (error) {
    return error instanceof Error ? error : new Error('store builds', { cause: error })
  }
}

/** Stores the builds of a ref; null if it has moved or they are queued already. */
async function addBuildsOfRef(
  context: PapersContext,
  options: Omit<CommitTargets, 'refs'> & {
    readonly ref: string
    readonly current: ReadonlyMap<string, string>
  },
): Promise<QueuedPush | null> {
  const { repository, commitId, isQueued, ref, current } = options
  if ((await findTarget(context, { repository, ref, current }))?.commitId !== commitId) return null
  const add = (): Promise<QueuedPush> => addBuilds({ repository, ref, commitId }, context)
  if (isQueued === null) return add()
  return checkLimiter.run(`${repository.id} ${ref}`, async () => {
    // All documents of a commit are queued together, so one build represents all.
    const newest = await context.store.builds.findNewest(repository.id, { ref, document: null })
    return newest?.commitId === commitId && (await isQueued(newest)) ? null : add()
  })
}

/** Neighboring targets at the same commit. */
function groupByCommit(
  targets: readonly Target[],
): readonly { readonly commitId: string; readonly refs: readonly string[] }[] {
  const groups: { readonly commitId: string; readonly refs: string[] }[] = []
  for (const { ref, commitId } of targets) {
    const last = groups.at(-1)
    if (last?.commitId === commitId) last.refs.push(ref)
    else groups.push({ commitId, refs: [ref] })
  }
  return groups
}

/**
 * Cancels the builds of these branches and tags at other commits. New builds replace earlier ones too, but a push may
 * queue none: it deletes the branch, has no documents, or is built only on demand.
 */
async function cancelOutdated(
  { store, queue }: PapersContext,
  {
    inProgress,
    heads,
  }: { readonly inProgress: readonly BuildRecord[]; readonly heads: ReadonlyMap<string, string | null> },
): Promise<void> {
  const outdated = inProgress.filter(({ ref, commitId }) => heads.has(ref) && heads.get(ref) !== commitId)
  // Other servers of the database detect this.
  await store.builds.cancel(outdated.map(({ id }) => id))
  for (const { id } of outdated) void queue.stop(id)
}

/**
 * Share links end with their branch or tag: another one of the same name is not what they shared. A repeat leaves those that
 * were created since the deletion began.
 */
async function revokeShareLinks(
  { store }: PapersContext,
  {
    repository: { id, owner, name },
    entry: { userId },
    moved,
    until,
  }: {
    readonly repository: Repository
    readonly entry: JournalEntry
    readonly moved: readonly RefUpdate[]
    readonly until: number
  },
): Promise<void> {
  const deleted = moved.filter(({ newCommitId }) => newCommitId === null).map(({ ref }) => ref)
  for (const linkId of await store.shareLinks.revokeOfRefs(id, deleted, { until })) {
    const detail = `${owner.login}/${name} link ${linkId}`
    await store.events.add({ kind: 'share-link-revoked', userId, actorId: userId, detail })
  }
}

/** Null if the branch or tag was deleted, or does not point to a commit. */
async function findTarget(
  { git }: PapersContext,
  {
    repository,
    ref,
    current,
  }: { readonly repository: Repository; readonly ref: string; readonly current: ReadonlyMap<string, string> },
): Promise<Target | null> {
  const target = current.get(ref)
  if (target === undefined) return null
  if (ref.startsWith(HEADS)) return { ref, commitId: target }
  const tag = await git.findTag(repository.id, ref.split('/').slice(2).join('/'))
  return tag && { ref, commitId: tag.commitId }
}

/** The first branch of an empty repository becomes the default, whatever its name. */
async function updateDefaultBranch(
  { git, store }: PapersContext,
  repository: Repository,
  { moved, isRepeat }: { readonly moved: readonly RefUpdate[]; readonly isRepeat: boolean },
): Promise<Repository> {
  const { id, defaultBranch: known } = repository
  if ((await git.findBranch(id, known)) !== null) {
    // The database has priority. Git differs from it if a user has just changed the branch, or after a crash between
    // the two writes.
    if (isRepeat || moved.length === 0) await git.setDefaultBranch(id, known)
    return repository
  }
  const pushed = moved
    .filter(({ ref, newCommitId }) => ref.startsWith(HEADS) && newCommitId !== null)
    .map(({ ref }) => ref.slice(HEADS.length))
  const defaultBranch = ['main', 'master'].find((name) => pushed.includes(name)) ?? pushed[0]
  if (defaultBranch === undefined) return repository
  await git.setDefaultBranch(id, defaultBranch)
  await store.repositories.change(id, { defaultBranch })
  return { ...repository, defaultBranch }
}
