import { removeExpired } from '../../accounts/users/remove-expired.ts'
import type { Deps } from '../../operations/deps.ts'
import { logExpired } from '../../mail/open-mail.ts'
import { forgetDeletedBranches } from '../../operations/branch/delete-branch.ts'
import { emptyTrash } from '../../operations/repository/delete-repository.ts'
import { removeUnfinishedRepositories } from '../../operations/repository/remove-unfinished.ts'

/** Older activity is not shown. */
const activityForMs = 90 * 86_400_000
/**
 * Maximum number of repositories without a known size that are measured at a time; a push updates the size of its
 * repository.
 */
const MEASURED_AT_ONCE = 1_000
const everyMs = 3_600_000
/** Temporary folders of commits and new repositories belong to no process; they are used for a shorter time. */
const abandonedAfterMs = 600_000

/**
 * Deletes expired data and leftovers of crashes, now and every hour, in the background. The returned object stops it.
 */
export function startHousekeeping(deps: Pick<Deps, 'git' | 'log' | 'store'>): { close(): Promise<void> } {
  // The data directory is locked by this process, so older files belong to a process that has ended.
  const startedAt = Date.now()
  const stop = new AbortController()
  let running = recoverRepositories(deps, { startedAt, signal: stop.signal }).then(() => sweep(deps, stop.signal))
  const timer = setInterval(() => {
    running = running.then(() => sweep(deps, stop.signal))
  }, everyMs).unref()
  return {
    close: () => {
      clearInterval(timer)
      stop.abort()
      return running
    },
  }
}

/** Makes repositories usable again after a crash or a power failure. */
async function recoverRepositories(
  { git, log, store }: Pick<Deps, 'git' | 'log' | 'store'>,
  { startedAt, signal }: { readonly startedAt: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    const removed = await git.sweep({ olderThanMs: Date.now() - startedAt })
    if (removed.length > 0) log.info({ removed }, 'removed what a crash left behind')
    for (const { id, defaultBranch } of await store.repositories.listDefaultBranches())
      if (!signal.aborted && (await git.repairHead(id, defaultBranch)))
        log.warn({ repositoryId: id }, 'repaired a damaged HEAD')
  } catch (error) {
    log.error({ err: error }, 'recover repositories')
  }
}

async function sweep({ git, log, store }: Pick<Deps, 'git' | 'log' | 'store'>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  try {
    logExpired(log, (await removeExpired(store)).undeliveredEmails)
    const unfinished = await removeUnfinishedRepositories({ store, git })
    await forgetDeletedBranches({ store, git })
    await emptyTrash({ store, git })
    await store.pushes.removeOlder({ before: Date.now() - activityForMs })
    for (const id of await store.quotas.listUnmeasured({ limit: MEASURED_AT_ONCE }))
      if (!signal.aborted) await store.quotas.setRepositorySize(id, await git.measure(id))
    const removed = await git.sweep({ olderThanMs: abandonedAfterMs })
    if (unfinished + removed.length > 0) log.info({ unfinished, removed }, 'swept what a crash left behind')
  } catch (error) {
    log.error({ err: error }, 'sweep')
  }
}
