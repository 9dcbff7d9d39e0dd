/**
 * Completes what no process works on: pushes and builds of processes that have ended, builds that wait while this process has
 * free slots, and missing builds of marked repositories (`pending-repositories.ts`).
 */
import type { Logger } from 'pino'

import { createFaultLog } from '../base/log/fault-log.ts'
import type { BuildRunner } from './build/build-runner.ts'
import { instanceWorker, LOCAL_WORKERS } from './build/local-worker.ts'
import type { PapersContext } from './request/queue-documents.ts'
import { recoverBuilds, takeUpAbandoned, WAITS_ELSEWHERE_MS } from './request/recover-builds.ts'
import { removeAbandonedDrafts } from './cache/evict-cache.ts'
import type { RefMoves } from './push/move-refs.ts'
import { openInstance, type TakenOver } from './push/open-instance.ts'
import { erasePending, listPending, markPending } from './push/pending-repositories.ts'
import { queueMissingBuilds } from './push/post-receive.ts'
import type { Papers } from './types.ts'

/** How often builds are looked for whose process has ended, unless leases are shorter. */
const LOOK_FOR_ABANDONED_EVERY_MS = 60_000

/** How often several servers of a database look for builds that another one cannot start, without a notification. */
const LOOK_FOR_SHARED_EVERY_MS = 1_000

/**
 * How often pushes to repositories in the trash and marked repositories are looked at again: another process may have
 * restored or enabled one.
 */
const LOOK_FOR_RESTORED_EVERY_MS = 60_000

/** Longer than a repository that was marked is being restored. */
const REOPENED_AFTER_MS = 10_000

/** Longer than a file of the cache is being written. */
const LONGEST_DRAFT_MS = 3_600_000

export interface Recovery extends Pick<Papers, 'isAlone' | 'reopen'> {
  /** Begins to take up work, in the background: thousands of repositories to recover must not delay the start. */
  start(): void
  /** Queues builds of the branches and tags of a repository that have none; false if the repository must stay marked. */
  queueMissing(repositoryId: number): Promise<boolean>
  /** Takes up nothing more, and waits for the work in progress, which the signal ends. */
  stop(): Promise<void>
  /** Leaves the rest to other servers, after the builds of this process have been stopped. */
  close(): Promise<void>
}

export interface RecoveryOptions {
  readonly log: Logger
  /** Name under which this process holds leases. */
  readonly worker: string
  readonly runner: Pick<BuildRunner, 'countSlots' | 'remoteSlots'>
  readonly refMoves: RefMoves
  /** Folders of the cache. */
  readonly folders: readonly string[]
  /** Whether it also does the work that other processes queued or left: not a command beside a running server. */
  readonly isServer: boolean
  /** Ends the work in progress. */
  readonly signal: AbortSignal
}

/** Registers this process, before it moves a ref. */
export async function openRecovery(context: PapersContext, options: RecoveryOptions): Promise<Recovery> {
  const { config, git, queue, store } = context
  const { log, worker, runner, refMoves, isServer, signal } = options
  const instance = await openInstance(store, { dataDir: config.dataDir, log, takesOver: isServer, onTakeOver })
  const startedAt = Date.now()
  let recovery = Promise.resolve()
  let endLooks = (): void => {}

  function onTakeOver(taken: TakenOver): void {
    recovery = recovery.then(() => recover(taken, { workers: taken.endedIds.map(instanceWorker), takesAll: false }))
  }

  async function takeUp(): Promise<void> {
    const { first, isAlone } = instance
    const alone = store.instances === null ? worker : LOCAL_WORKERS
    const workers = isAlone ? [alone] : first.endedIds.map(instanceWorker)
    await recover(first, { workers, takesAll: isAlone })
    await queuePending({ before: Infinity })
    // The process that wrote them has ended, unless other servers share the cache.
    const before = isAlone ? startedAt : startedAt - LONGEST_DRAFT_MS
    await removeAbandonedDrafts(options.folders, { before }).catch((error: unknown) => {
      log.warn({ err: error }, 'remove partial files of the cache')
    })
  }

  async function recover(
    { entries }: Pick<TakenOver, 'entries'>,
    builds: { readonly workers: readonly string[]; readonly takesAll: boolean },
  ): Promise<void> {
    await recoverBuilds(context, { ...builds, signal }).catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'recover builds')
    })
    for (const { repositoryId } of entries) git.sweepSoon(repositoryId)
    await refMoves.recover(entries)
  }

  /**
   * Queues missing builds of the repositories that were marked before a time. Marks stay for the next look after a fault, and
   * while the repository is disabled or in the trash.
   */
  async function queuePending({ before }: { readonly before: number }): Promise<void> {
    try {
      for (const repositoryId of await listPending(config.dataDir, { before }))
        if (!signal.aborted && (await queueMissing(repositoryId))) await erasePending(config.dataDir, repositoryId)
    } catch (error) {
      log.error({ err: error }, 'queue missing builds')
    }
  }

  async function queueMissing(repositoryId: number): Promise<boolean> {
    try {
      return await queueMissingBuilds(repositoryId, context, { signal })
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, repositoryId }, 'queue missing builds')
      return false
    }
  }

  async function isInTrash(repositoryId: number): Promise<boolean> {
    // After a fault, the mark stays.
    const state = await store.repositories.findState(repositoryId).catch(() => null)
    return state === 'trashed'
  }

  let isLooking = false
  const lookFaults = createFaultLog(log, 'take up abandoned builds')
  async function lookForAbandoned(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const isIdle = queue.count() < runner.countSlots()
    try {
      await takeUpAbandoned(context, { worker, slots: runner.remoteSlots, isIdle, signal })
      lookFaults.succeed()
    } catch (error) {
      if (!signal.aborted) lookFaults.fail(error)
    }
    isLooking = false
  }

  function lookForRestored(): void {
    void refMoves.resume()
    recovery = recovery.then(() => queuePending({ before: Date.now() - REOPENED_AFTER_MS }))
  }

  function startLooks(): () => void {
    const { leaseMs } = config.build
    const everyMs =
      store.instances === null ? Math.min(LOOK_FOR_ABANDONED_EVERY_MS, leaseMs / 2) : LOOK_FOR_SHARED_EVERY_MS
    const looks = [
      setInterval(() => void lookForAbandoned(), everyMs).unref(),
      setInterval(lookForRestored, LOOK_FOR_RESTORED_EVERY_MS).unref(),
    ]
    /** Another server may have queued a build that a free slot here can start. */
    let wakeUp: NodeJS.Timeout | null = null
    const endNotifications = store.onOthersChange(() => {
      if (wakeUp !== null || queue.count() >= runner.countSlots()) return
      wakeUp = setTimeout(() => {
        wakeUp = null
        void lookForAbandoned()
      }, WAITS_ELSEWHERE_MS).unref()
    })
    return () => {
      for (const look of looks) clearInterval(look)
      endNotifications()
      if (wakeUp !== null) clearTimeout(wakeUp)
    }
  }

  return {
    isAlone: instance.isAlone,
    start() {
      if (!isServer) return
      recovery = takeUp()
      endLooks = startLooks()
    },
    queueMissing,
    async reopen(repositoryId, work) {
      await markPending(config.dataDir, [repositoryId])
      const outcome = await work()
      await refMoves.resume(repositoryId)
      // A refused restoration marks the repository again when it is repeated.
      if ((await queueMissing(repositoryId)) || (await isInTrash(repositoryId)))
        await erasePending(config.dataDir, repositoryId)
      return outcome
    },
    async stop() {
      endLooks()
      await recovery
    },
    async close() {
      await instance.close()
      // On SQLite, the next start does this.
      if (store.instances === null) return
      // Without the database, the leases expire.
      await store.buildLeases.releaseOf(worker).catch((error: unknown) => log.warn({ err: error }, 'release builds'))
    },
  }
}
