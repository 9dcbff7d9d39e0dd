import type { Repository } from '../../domain/types.ts'
import type { RefUpdate } from '../../git/types.ts'
import type { JournalEntry } from '../../store/repositories/push-journal.ts'
import { queueDocuments, type PapersContext } from '../build/queue-documents.ts'
import type { QueuedPush } from '../types.ts'

const HEADS = 'refs/heads/'
/** A push of more has its refs packed first. */
const MANY_REFS = 50

/**
 * What follows once refs have moved, by a push or in the browser: chooses a default branch if there is none yet, queues
 * the builds of the branches and tags that moved, and notes who moved them and when, which ends the journal entry.
 *
 * Looks at the refs themselves instead of at git's report: they are what the repository now is. `isRepeat` = an earlier
 * attempt, perhaps of a process that crashed, may have done a part of it; every part can be repeated.
 */
export async function settlePush(
  entry: JournalEntry,
  context: PapersContext,
  { isRepeat }: { readonly isRepeat: boolean },
): Promise<readonly QueuedPush[]> {
  const { git, store } = context
  const found = await store.repositories.findById(entry.repositoryId)
  // In the trash: the entry waits for its return. Where the repository is gone, the entry is too.
  if (found === null) return []
  // Each ref is looked up several times below. A ref in a file of its own is read again each time while it is new.
  if (entry.updates.length > MANY_REFS) await git.maintain(found.id)
  const moved = await findMoved(context, entry)
  const isDefaultBranch = entry.updates.length === 0
  const repository =
    isDefaultBranch || moved.length > 0 ? await settleDefaultBranch(context, found, { moved, isRepeat }) : found
  const queued: QueuedPush[] = []
  for (const { ref } of moved) {
    const commitId = await findCommitId(context, { repository, ref })
    if (commitId === null) continue
    if (isRepeat && (await isQueued(context, { entry, ref, commitId }))) continue
    queued.push(await queueDocuments({ repository, ref, commitId }, context))
  }
  await store.pushJournal.settle(entry, moved)
  if (moved.length > 0) await store.quotas.setRepositorySize(repository.id, await git.measure(repository.id))
  if (moved.length > 0) void git.maintain(repository.id)
  return queued
}

/**
 * The same for all branches and tags of a repository whose pushes nobody noted, or that was in the trash: queues the
 * builds of those whose newest build is of another commit, or was cancelled.
 */
export async function settleRepository(repositoryId: number, context: PapersContext): Promise<void> {
  const { git, store } = context
  const found = await store.repositories.findById(repositoryId)
  if (found === null) return
  const heads = (await git.listBranches(repositoryId)).map(({ name, commitId }) => ({ ref: HEADS + name, commitId }))
  const tags = (await git.listTags(repositoryId)).map(({ name, commitId }) => ({ ref: `refs/tags/${name}`, commitId }))
  const moved = heads.map(({ ref, commitId }) => ({ ref, oldCommitId: null, newCommitId: commitId }))
  const repository = await settleDefaultBranch(context, found, { moved, isRepeat: true })
  for (const { ref, commitId } of [...heads, ...tags]) {
    const newest = await store.builds.findNewest(repositoryId, { ref, document: null })
    if (newest?.commitId !== commitId || newest.state === 'cancelled')
      await queueDocuments({ repository, ref, commitId }, context)
  }
}

/** The updates that happened. */
async function findMoved({ git }: PapersContext, { repositoryId, updates }: JournalEntry): Promise<RefUpdate[]> {
  const moved: RefUpdate[] = []
  for (const update of updates)
    if ((await git.findRef(repositoryId, update.ref)) === update.newCommitId) moved.push(update)
  return moved
}

/** The commit of a branch or tag; null when it was deleted, or names no commit. */
async function findCommitId(
  { git }: PapersContext,
  { repository: { id }, ref }: { readonly repository: Repository; readonly ref: string },
): Promise<string | null> {
  const name = ref.split('/').slice(2).join('/')
  const found = ref.startsWith(HEADS) ? await git.findBranch(id, name) : await git.findTag(id, name)
  return found?.commitId ?? null
}

/** Whether an earlier attempt has queued the builds: all documents of a commit are queued together. */
async function isQueued(
  { store }: PapersContext,
  { entry, ref, commitId }: { readonly entry: JournalEntry; readonly ref: string; readonly commitId: string },
): Promise<boolean> {
  const newest = await store.builds.findNewest(entry.repositoryId, { ref, document: null })
  return newest !== null && newest.commitId === commitId && newest.createdAt >= entry.createdAt
}

/** The first branch of an empty repository becomes the default, whatever its name. */
async function settleDefaultBranch(
  { git, store }: PapersContext,
  repository: Repository,
  { moved, isRepeat }: { readonly moved: readonly RefUpdate[]; readonly isRepeat: boolean },
): Promise<Repository> {
  const { id, defaultBranch: known } = repository
  if ((await git.findBranch(id, known)) !== null) {
    // The database decides. Git differs from it where somebody has just chosen, or a crash came between the two.
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
