import { removeExpired } from '../../accounts/users/remove-expired.ts'
import type { Deps } from '../../operations/deps.ts'
import { logExpired } from '../../mail/open-mail.ts'
import { forgetDeletedBranches } from '../../operations/branch/delete-branch.ts'
import { endDeletedRefs } from '../../operations/branch/end-deleted-refs.ts'
import { removeAbandonedFiles } from '../../operations/temporary-files.ts'
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
/** Delay of work that recovery does not need, so that it does not slow down the first requests. */
const FIRST_SWEEP_AFTER_MS = 2_000
/** Temporary folders of commits and new repositories belong to no process; they are used for a shorter time. */
const abandonedAfterMs = 600_000
/** Longer than another server receives a push, or collects garbage. */
const USED_ELSEWHERE_MS = 65 * 60_000

type HousekeepingDeps = Pick<Deps, 'config' | 'git' | 'log' | 'papers' | 'store'>

/**
 * Removes leftovers of a crash now, and deletes expired data soon and every hour, in the background. The returned object
 * stops it.
 */
export function startHousekeeping(
  deps: HousekeepingDeps,
  { isAlone }: { readonly isAlone: boolean },
): { close(): Promise<void> } {
  // No other server was running, so older files belong to a process that has ended.
  const startedAt = isAlone ? Date.now() : Date.now() - USED_ELSEWHERE_MS
  const stop = new AbortController()
  let running = recoverRepositories(deps, { startedAt, signal: stop.signal })
  const sweepNext = (): void => {
    running = running.then(() => sweep(deps, stop.signal))
  }
  const first = setTimeout(sweepNext, FIRST_SWEEP_AFTER_MS).unref()
  const timer = setInterval(sweepNext, everyMs).unref()
  return {
    close: () => {
      clearTimeout(first)
      clearInterval(timer)
      stop.abort()
      return running
    },
  }
}

/** Makes repositories usable again after a crash or a power failure. A damaged one does not stop the others. */
async function recoverRepositories(
  { git, log, store }: Pick<Deps, 'git' | 'log' | 'store'>,
  { startedAt, signal }: { readonly startedAt: number; readonly signal: AbortSignal },
): Promise<void> {
  const attempt = attemptSteps(log, signal)
  await attempt('remove leftovers of a crash', async () => {
    const removed = await git.sweep({ olderThanMs: Date.now() - startedAt })
    if (removed.length > 0) log.info({ removed }, 'removed what a crash left behind')
  })
  await attempt('repair HEAD files', async () => {
    for (const { id, defaultBranch } of await store.repositories.listDefaultBranches())
      await attempt(`repair HEAD of repository ${id}`, async () => {
        if (await git.repairHead(id, defaultBranch)) log.warn({ repositoryId: id }, 'repaired a damaged HEAD')
      })
  })
}

async function sweep(deps: HousekeepingDeps, signal: AbortSignal): Promise<void> {
  const { config, git, log, store } = deps
  const attempt = attemptSteps(log, signal)
  await attempt('clean the database', () => store.runExclusively('housekeeping', () => cleanDatabase(deps, signal)))
  await attempt('remove leftovers', async () => {
    const olderThanMs = store.instances === null ? abandonedAfterMs : USED_ELSEWHERE_MS
    const removed = await git.sweep({ olderThanMs })
    if (removed.length > 0) log.info({ removed }, 'removed what a crash left behind')
  })
  await attempt('remove temporary files', async () => {
    const files = await removeAbandonedFiles(config.dataDir)
    if (files > 0) log.info({ files }, 'removed temporary files of processes that have ended')
  })
}

/** Cleans the database. Runs on one instance of a database at a time. */
async function cleanDatabase({ git, log, papers, store }: HousekeepingDeps, signal: AbortSignal): Promise<void> {
  const attempt = attemptSteps(log, signal)
  await attempt('delete expired data', async () => logExpired(log, (await removeExpired(store)).undeliveredEmails))
  await attempt('remove old workers', () => store.workerKeys.removeOldWorkers({ before: Date.now() - everyMs }))
  await attempt('remove unfinished repositories', async () => {
    const unfinished = await removeUnfinishedRepositories({ store, git, papers })
    if (unfinished > 0) log.info({ unfinished }, 'removed unfinished repositories')
  })
  await attempt('remove expired deleted branches', async () =>
    forgetDeletedBranches({ store, git }, { now: await store.retentionClock.now() }),
  )
  await attempt('end builds of deleted branches', async () =>
    endDeletedRefs({ store, git }, { now: await store.retentionClock.now(), signal }),
  )
  await attempt('empty the trash', async () =>
    emptyTrash({ store, git, papers }, { now: await store.retentionClock.now() }),
  )
  await attempt('delete old activity', async () =>
    store.pushes.removeOlder({ before: (await store.retentionClock.now()) - activityForMs }),
  )
  await attempt('measure repositories', async () => {
    for (const id of await store.quotas.listUnmeasured({ limit: MEASURED_AT_ONCE }))
      if (!signal.aborted) await store.quotas.setRepositorySize(id, await git.measure(id))
  })
}

/** Runs one step after the other until `signal` aborts. A step that fails is logged and repeated in the next round. */
function attemptSteps(log: Deps['log'], signal: AbortSignal) {
  return async (step: string, run: () => Promise<unknown>): Promise<void> => {
    if (signal.aborted) return
    await run().catch((error: unknown) => log.error({ err: error, step }, 'housekeeping'))
  }
}
