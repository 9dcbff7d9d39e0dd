/**
 * Permanently removes what no branch and no tag of a repository reaches: commits, their builds and PDFs, and branches
 * that could still be restored. Works while the server runs: the repository is archived in the meantime, so that pushes
 * are refused, and the purge waits for running operations.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { Repository } from '../../domain/types.ts'
import { purgeNoticedAfterMs } from '../../git/admin/purge-notes.ts'
import type { UnreachableCommit } from '../../git/admin/purge-repository.ts'
import type { GitStore } from '../../git/types.ts'
import type { BucketCopies } from '../../papers/cache/bucket-copies.ts'
import { purgeBuilds } from '../../papers/cache/purge-builds.ts'
import { lockDataDir } from '../../store/sqlite/data-dir-lock.ts'
import type { Store } from '../../store/store.ts'

/** Dependencies of a purge. */
export interface PurgeDeps {
  readonly dataDir: string
  readonly git: GitStore
  readonly store: Store
  /** Null without a bucket. */
  readonly copies: BucketCopies | null
}

/** Data that a purge removes. */
export interface PurgePlan {
  readonly commits: readonly UnreachableCommit[]
  /** Unreachable commits that have builds, including commits that no longer exist. */
  readonly builtCommitIds: readonly string[]
  /** Deleted branches that could still be restored. */
  readonly deletedBranches: readonly string[]
}

/** Data that a purge has removed. */
export interface Purged {
  readonly commits: number
  readonly builds: number
  readonly freedBytes: number
}

export interface PurgeProgress {
  readonly signal?: AbortSignal
  readonly onStep?: (step: string) => void
}

/** A running operation did not end in time. */
class PurgeBlocked extends Error {
  override readonly name = 'PurgeBlocked'
}

const pollMs = 200
const patienceMs = 5 * 60_000
/** An edit in the browser that started before the repository was archived has written its commit by then. */
const editMs = 3_000

/** Lists what a purge would remove, without changing anything. */
export async function planPurge(
  { git, store }: Pick<PurgeDeps, 'git' | 'store'>,
  repository: Repository,
  { signal }: PurgeProgress = {},
): Promise<PurgePlan> {
  const options = signal === undefined ? {} : { signal }
  const commits = await git.listUnreachableCommits(repository.id, options)
  const unreachable = new Set(commits.map(({ id }) => id))
  const built = await store.builds.listCommitIds(repository.id)
  const gone = await Promise.all(built.map(async (id) => (await git.findCommit(repository.id, id)) === null))
  const deleted = await store.deletedBranches.listOfRepository(repository.id, { since: 0 })
  return {
    commits,
    builtCommitIds: built.filter((id, index) => unreachable.has(id) || gone[index]),
    deletedBranches: deleted.map(({ name }) => name),
  }
}

/**
 * Purges a repository.
 *
 * @throws DiskFull, with nothing removed; PurgeBlocked when a push or a build of an unreachable commit does not end within five minutes.
 */
export async function purgeRepository(
  deps: PurgeDeps,
  repository: Repository,
  progress: PurgeProgress = {},
): Promise<Purged> {
  const { git, store } = deps
  const { onStep = () => {}, signal } = progress
  // Without a running server, the lock prevents one from starting.
  const lock = lockDataDir(deps.dataDir, { pid: process.pid, url: 'texproof repo purge' })
  if (!repository.isArchived) await store.repositories.change(repository.id, { isArchived: true })
  try {
    if (lock === null) {
      onStep('waiting for pushes')
      await waitForPushes(store, repository.id, signal)
    }
    onStep('listing commits')
    const plan = await planPurge(deps, repository, progress)
    // Before anything is removed.
    await git.requirePurgeRoom(repository.id, signal === undefined ? {} : { signal })
    onStep('waiting for builds')
    await waitForBuilds(store, repository.id, { commitIds: plan.builtCommitIds, signal })
    const sizeBefore = await git.measure(repository.id)
    onStep('removing commits')
    await forgetDeletedBranches(store, repository.id)
    await git.purgeRepository(repository.id, signal === undefined ? {} : { signal })
    onStep('removing builds')
    const cacheDir = join(deps.dataDir, 'cache')
    const builds = await purgeBuilds(repository.id, {
      store,
      cacheDir,
      copies: deps.copies,
      commitIds: plan.builtCommitIds,
    })
    // The owner may not be able to push until the quota knows what was freed.
    const sizeAfter = await git.measure(repository.id)
    await store.quotas.setRepositorySize(repository.id, sizeAfter)
    if (lock === null) await pause(purgeNoticedAfterMs)
    return { commits: plan.commits.length, builds, freedBytes: sizeBefore - sizeAfter }
  } finally {
    if (!repository.isArchived) await store.repositories.change(repository.id, { isArchived: false })
    lock?.release()
  }
}

async function waitForPushes(store: Store, repositoryId: number, signal?: AbortSignal): Promise<void> {
  const isOver = async (): Promise<boolean> =>
    (await store.pushJournal.list()).every((entry) => entry.repositoryId !== repositoryId)
  await pause(editMs, undefined, { signal })
  await waitUntil(isOver, { what: 'a push', signal })
}

/** Queued builds are cancelled. Running ones would add a PDF later. */
async function waitForBuilds(
  store: Store,
  repositoryId: number,
  { commitIds, signal }: { readonly commitIds: readonly string[]; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const isOver = async (): Promise<boolean> => (await store.builds.countRunning(repositoryId, commitIds)) === 0
  await waitUntil(isOver, { what: 'a build of an unreachable commit', signal })
}

async function waitUntil(
  isOver: () => Promise<boolean>,
  { what, signal }: { readonly what: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await isOver())) {
    if (performance.now() > giveUpAt) throw new PurgeBlocked(`${what} has not ended within 5 minutes`)
    await pause(pollMs, undefined, { signal })
  }
}

async function forgetDeletedBranches(store: Store, repositoryId: number): Promise<void> {
  for (const { id } of await store.deletedBranches.listOfRepository(repositoryId, { since: 0 }))
    await store.deletedBranches.remove(id)
}
