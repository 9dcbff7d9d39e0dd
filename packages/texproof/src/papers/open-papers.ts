import { join } from 'node:path'

import type { Logger } from 'pino'

import type { Parsers } from '../base/open-parsers.ts'
import type { Config } from '../config/read-config.ts'
import type { Build } from '../domain/build.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import { createBuildQueue, type BuildEnd } from './build/build-queue.ts'
import { createBuildRunner } from './build/build-runner.ts'
import { instanceWorker, LOCAL_WORKERS, localWorker } from './build/local-worker.ts'
import { removeAbandonedDrafts } from './cache/evict-cache.ts'
import { keepForTags } from './build/keep-for-tags.ts'
import { findPaper, findPaperOfCommit } from './build/find-paper.ts'
import { measurePdfs } from './cache/measure-pdfs.ts'
import { openCache } from './cache/open-cache.ts'
import { findPassLog, findPassTails } from './cache/pass-logs.ts'
import { queueDocuments } from './build/queue-documents.ts'
import { recoverBuilds, takeUpAbandoned, WAITS_ELSEWHERE_MS } from './build/recover-builds.ts'
import { openRefMoves } from './push/move-refs.ts'
import { openInstance, type TakenOver } from './push/open-instance.ts'
import { requestBuild } from './build/request-build.ts'
import { createPreviews } from './preview/previews.ts'
import { createSpareCompiler } from './build/spare-compiler.ts'
import { openHostCompiler, type HostCompiler } from './host-compiler.ts'
import type { Papers } from './types.ts'
import { queueMissingBuilds } from './push/post-receive.ts'
import { erasePending, listPending, markPending } from './push/pending-repositories.ts'
import { watchPushes } from './push/watch-pushes.ts'

/**
 * Delay before the fonts are indexed for the first LuaLaTeX document, so that the index does not slow down the start.
 */
const FONTS_AFTER_MS = 15_000

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

/** Dependencies of the builds of a host. */
export interface PapersDeps {
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly git: GitStore
  readonly parsers: Parsers
}

/**
 * Opens the builds of a host: requeues builds that an earlier process left unfinished, and builds new pushes.
 *
 * With `takesUp: false`, it ignores builds that other processes queued: a command beside a running host runs only its
 * own builds.
 *
 * A `compiler` whose sandbox is still being examined is not awaited; builds wait for it in the queue, where they stay if there
 * is no sandbox.
 *
 * @throws SandboxUnavailableError without `compiler`, when the configuration requires a sandbox that this machine does not
 *   support.
 */
export async function openPapers(
  deps: PapersDeps,
  { takesUp = true, compiler: given }: { readonly takesUp?: boolean; readonly compiler?: HostCompiler } = {},
): Promise<Papers> {
  const { config, git, log, parsers, store } = deps
  const cacheDir = join(config.dataDir, 'cache')
  const compiler = given ?? openHostCompiler(config, { takesUp })
  if (given === undefined) await compiler.opened
  let canBuild = false
  void compiler.opened.then(
    () => {
      canBuild = true
      queue.refresh()
    },
    () => {}, // The host, which has opened the compiler, ends.
  )
  const warmUp = setTimeout(() => {
    compiler.opened
      .then((opened) => opened.prepare())
      .catch((error: unknown) => log.warn({ err: error }, 'prepare the compiler'))
  }, FONTS_AFTER_MS).unref()
  const opened = openCache(cacheDir, { ...deps, compiler }, { isServer: takesUp })
  const { pdfs, pictures, cache, synctexes, folders } = opened
  // A command beside a running host has its own name, so that the host recovers only its own builds at a start.
  const place = store.instances === null ? localWorker(config.dataDir) : instanceWorker(store.instances.id)
  const worker = takesUp ? place : `${place}-${process.pid}`

  const countBuilds = (): number => queue.count()
  const runner = createBuildRunner({
    ...deps,
    compiler,
    pdfs,
    pictures,
    cache,
    worker,
    countBuilds,
    queueMissing,
    onSlot: () => queue.refresh(),
  })
  const queue = createBuildQueue({
    countSlots: () => (canBuild ? runner.countSlots() : 0),
    run: runAndKeep,
    cancel: runner.cancel,
    requeue: runner.release,
    onFault: (error) => log.error({ err: error }, 'build queue'),
  })
  const previews = createPreviews({
    config,
    git,
    compiler,
    cache,
    synctexes,
    // Builds on workers leave the slots of this machine to previews.
    countBuilds: () => queue.count() - runner.remoteSlots.listLeases().length,
  })
  const context = { config, git, parsers, store, pdfs, queue }
  const stop = new AbortController()
  const lookEveryMs =
    store.instances === null
      ? Math.min(LOOK_FOR_ABANDONED_EVERY_MS, config.build.leaseMs / 2)
      : LOOK_FOR_SHARED_EVERY_MS
  const refMoves = openRefMoves(context, { log })
  // Before this process moves a ref.
  const instance = await openInstance(store, { dataDir: config.dataDir, log, takesOver: takesUp, onTakeOver })
  const startedAt = Date.now()
  // Runs in the background: thousands of repositories to recover must not delay the start.
  let recovery = takesUp ? takeUp() : Promise.resolve()

  async function runAndKeep(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    const end = await runner.run(build, signal)
    if (end === 'over')
      // The build is recorded. Without one of its own, a tag has the PDF as long as the branch keeps it.
      await keepForTags(build, context).catch((error: unknown) => {
        log.error(
          { err: error, repositoryId: build.repositoryId, build: build.number },
          'keep the PDF of a build for tags',
        )
      })
    return end
  }

  function onTakeOver(taken: TakenOver): void {
    recovery = recovery.then(() => recover(taken, { workers: taken.endedIds.map(instanceWorker), takesAll: false }))
  }

  async function recover(
    { entries }: Pick<TakenOver, 'entries'>,
    builds: { readonly workers: readonly string[]; readonly takesAll: boolean },
  ): Promise<void> {
    await recoverBuilds(context, { ...builds, signal: stop.signal }).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error }, 'recover builds')
    })
    for (const { repositoryId } of entries) git.sweepSoon(repositoryId)
    await refMoves.recover(entries)
  }

  async function takeUp(): Promise<void> {
    const { first, isAlone } = instance
    const alone = store.instances === null ? worker : LOCAL_WORKERS
    const workers = isAlone ? [alone] : first.endedIds.map(instanceWorker)
    await recover(first, { workers, takesAll: isAlone })
    await queuePending({ before: Infinity })
    // The process that wrote them has ended, unless other servers share the cache.
    const before = instance.isAlone ? startedAt : startedAt - LONGEST_DRAFT_MS
    await removeAbandonedDrafts(folders, { before }).catch((error: unknown) => {
      log.warn({ err: error }, 'remove partial files of the cache')
    })
  }

  /**
   * Queues missing builds of the repositories that were marked before a time. Marks stay for the next look after a fault, and
   * while the repository is disabled or in the trash.
   */
  async function queuePending({ before }: { readonly before: number }): Promise<void> {
    try {
      for (const repositoryId of await listPending(config.dataDir, { before }))
        if (!stop.signal.aborted && (await queueMissing(repositoryId))) await erasePending(config.dataDir, repositoryId)
    } catch (error) {
      log.error({ err: error }, 'queue missing builds')
    }
  }

  function lookForRestored(): void {
    void refMoves.resume()
    recovery = recovery.then(() => queuePending({ before: Date.now() - REOPENED_AFTER_MS }))
  }

  /** Another server may have queued a build that a free slot here can start. */
  let wakeUp: NodeJS.Timeout | null = null
  const endNotifications = store.onOthersChange(() => {
    if (!takesUp || wakeUp !== null || queue.count() >= runner.countSlots()) return
    wakeUp = setTimeout(() => {
      wakeUp = null
      void lookForAbandoned()
    }, WAITS_ELSEWHERE_MS).unref()
  })

  let isLooking = false
  async function lookForAbandoned(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const isIdle = queue.count() < runner.countSlots()
    await takeUpAbandoned(context, { worker, slots: runner.remoteSlots, isIdle, signal: stop.signal }).catch(
      (error: unknown) => {
        if (!stop.signal.aborted) log.error({ err: error }, 'take up abandoned builds')
      },
    )
    isLooking = false
  }

  // The start may take longer than the first interval.
  const looks = takesUp
    ? [
        setInterval(() => void lookForAbandoned(), lookEveryMs).unref(),
        setInterval(lookForRestored, LOOK_FOR_RESTORED_EVERY_MS).unref(),
      ]
    : []

  async function closeInstance(): Promise<void> {
    await instance.close()
    // On SQLite, the next start does this.
    if (store.instances === null) return
    // Without the database, the leases expire.
    await store.buildLeases.releaseOf(worker).catch((error: unknown) => log.warn({ err: error }, 'release builds'))
  }

  async function queueMissing(repositoryId: number): Promise<boolean> {
    try {
      return await queueMissingBuilds(repositoryId, context, stop)
    } catch (error) {
      if (!stop.signal.aborted) log.error({ err: error, repositoryId }, 'queue missing builds')
      return false
    }
  }

  async function isInTrash(repositoryId: number): Promise<boolean> {
    // After a fault, the mark stays.
    const state = await store.repositories.findState(repositoryId).catch(() => null)
    return state === 'trashed'
  }

  return {
    isAlone: instance.isAlone,
    moveRefs: (move, work, options) => refMoves.moveRefs(move, work, options),
    queuePushedBranch: (branch) => queueDocuments(branch, context),
    async reopen(repositoryId, work) {
      await markPending(config.dataDir, [repositoryId])
      const outcome = await work()
      await refMoves.resume(repositoryId)
      // A refused restoration marks the repository again when it is repeated.
      if ((await queueMissing(repositoryId)) || (await isInTrash(repositoryId)))
        await erasePending(config.dataDir, repositoryId)
      return outcome
    },
    requestBuild: (wanted) => requestBuild(wanted, context),
    watchPushes: (pushes, { patience }) =>
      watchPushes(pushes, { ...context, patience, describeProgress: runner.describeProgress }),
    findPaper: (repositoryId, of) => findPaper(repositoryId, of, context),
    findPaperOfCommit: (repositoryId, of) => findPaperOfCommit(repositoryId, of, context),
    findPdfFile: (pdfId) => pdfs.find(pdfId),
    findPicture: (picture) => pictures.find(picture),
    findFigure: (figure) => opened.figures.find(figure),
    findSynctex: (build, options) => synctexes.find(build, options),
    compilePreview: (request) => previews.compile(request),
    findPreview: (at) => previews.find(at),
    findPreviewSynctex: (at) => previews.findSynctex(at),
    spareCompiler: createSpareCompiler({
      compiler,
      concurrency: config.build.concurrency,
      countBuilds,
      signal: stop.signal,
    }),
    findPassTails: async (buildId, options) =>
      findPassTails(parsers, { path: await cache.findPassLogs(buildId), ...options }),
    findPassLog: async (buildId, options) =>
      findPassLog(parsers, { path: await cache.findPassLogs(buildId), ...options }),
    measureCache: opened.measure,
    removeBuildFiles: opened.removeOfRepository,
    texInventory: () => compiler.inventory(),
    describeLimits: async () => (await compiler.opened).sandbox.limits,
    waitingEngines: async () => (await compiler.opened).waitingStatus(),
    findTexPackage: (name) => compiler.findPackage(name),
    measurePdfs: (repositoryId) => measurePdfs(repositoryId, context),
    describeProgress: runner.describeProgress,
    remoteBuilds: runner.remoteBuilds,
    stopRemoteSlots: () => runner.remoteSlots.close(),
    async stopBuild(buildId) {
      await queue.stop(buildId)
      // A build that another process left is in no queue.
      await store.builds.cancel([buildId])
    },
    async close() {
      clearTimeout(warmUp)
      for (const look of looks) clearInterval(look)
      endNotifications()
      if (wakeUp !== null) clearTimeout(wakeUp)
      stop.abort()
      const refMovesEnd = refMoves.close()
      await recovery
      await refMovesEnd
      runner.close()
      await Promise.all([queue.close(), previews.close()])
      await opened.close()
      await compiler.close()
      await closeInstance()
    },
  }
}
