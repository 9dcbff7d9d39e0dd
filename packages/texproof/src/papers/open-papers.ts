import { join } from 'node:path'

import type { Logger } from 'pino'

import type { Parsers } from '../base/open-parsers.ts'
import type { Config } from '../config/read-config.ts'
import type { Build } from '../domain/build.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import { createBuildQueue, type BuildEnd } from './build/build-queue.ts'
import { createBuildRunner } from './build/build-runner.ts'
import { instanceWorker, localWorker } from './build/local-worker.ts'
import { keepForTags } from './request/keep-for-tags.ts'
import { findPaper, findPaperOfCommit } from './request/find-paper.ts'
import { measurePdfs } from './cache/measure-pdfs.ts'
import { openCache } from './cache/open-cache.ts'
import { findPassLog, findPassTails } from './cache/pass-logs.ts'
import { queueDocuments } from './request/queue-documents.ts'
import { openRefMoves } from './push/move-refs.ts'
import { requestBuild } from './request/request-build.ts'
import { createPreviews } from './preview/previews.ts'
import { createSpareCompiler } from './build/spare-compiler.ts'
import { openHostCompiler, type HostCompiler } from './host-compiler.ts'
import { openRecovery } from './open-recovery.ts'
import type { Papers } from './types.ts'
import { watchPushes } from './push/watch-pushes.ts'

/**
 * Delay before the fonts are indexed for the first LuaLaTeX document, so that the index does not slow down the start.
 */
const FONTS_AFTER_MS = 15_000

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
 * With `isServer: false`, it ignores builds that other processes queued: a command beside a running host runs only its
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
  { isServer = true, compiler: given }: { readonly isServer?: boolean; readonly compiler?: HostCompiler } = {},
): Promise<Papers> {
  const { config, git, log, parsers, store } = deps
  const cacheDir = join(config.dataDir, 'cache')
  const compiler = given ?? openHostCompiler(config, { isServer })
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
  const opened = openCache(cacheDir, { ...deps, compiler }, { isServer })
  const { pdfs, pictures, cache, synctexes, folders } = opened
  // A command beside a running host has its own name, so that the host recovers only its own builds at a start.
  const place = store.instances === null ? localWorker(config.dataDir) : instanceWorker(store.instances.id)
  const worker = isServer ? place : `${place}-${process.pid}`

  const countBuilds = (): number => queue.count()
  const runner = createBuildRunner({
    ...deps,
    compiler,
    pdfs,
    pictures,
    cache,
    worker,
    countBuilds,
    queueMissing: (repositoryId) => recovery.queueMissing(repositoryId),
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
  const refMoves = openRefMoves(context, { log })
  const stop = new AbortController()
  const recovery = await openRecovery(context, {
    log,
    worker,
    runner,
    refMoves,
    folders,
    isServer,
    signal: stop.signal,
  })
  recovery.start()

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

  return {
    isAlone: recovery.isAlone,
    moveRefs: (move, work, options) => refMoves.moveRefs(move, work, options),
    queuePushedBranch: (branch) => queueDocuments(branch, context),
    reopen: (repositoryId, work) => recovery.reopen(repositoryId, work),
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
      stop.abort()
      await Promise.all([refMoves.close(), recovery.stop()])
      runner.close()
      await Promise.all([queue.close(), previews.close()])
      await opened.close()
      await compiler.close()
      await recovery.close()
    },
  }
}
