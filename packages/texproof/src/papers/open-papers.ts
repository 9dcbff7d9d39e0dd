import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { CompileProgress, ConfirmingPdf } from '@texproof/platex/project'
import { openProjectCompiler } from '@texproof/platex/project'
import type { Logger } from 'pino'

import { DiskFull, findDiskRoom, findStorageFailure } from '../base/storage-failure.ts'
import type { Parsers } from '../base/open-parsers.ts'
import type { Config } from '../config/read-config.ts'
import type { Build, BuildOutcome } from '../domain/build.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import { createBuildCache } from './cache/build-cache.ts'
import { createBuildQueue } from './build/build-queue.ts'
import { evictCache, removeAbandonedDrafts } from './cache/evict-cache.ts'
import { findPaper, findPaperOfCommit } from './build/find-paper.ts'
import { createCacheMeasure } from './cache/measure-cache.ts'
import { measurePdfs } from './cache/measure-pdfs.ts'
import { findPassLog, findPassTails } from './cache/pass-logs.ts'
import { createPdfStore } from './cache/pdf-store.ts'
import { createPictureStore, pictureWidths } from './cache/page-image-store.ts'
import { queueDocuments } from './build/queue-documents.ts'
import { recoverBuilds, takeUpAbandoned } from './build/recover-builds.ts'
import { openRefMoves } from './push/move-refs.ts'
import { reuseResult } from './build/reuse-result.ts'
import { requestBuild } from './build/request-build.ts'
import { checkBuildMinutes } from './build/check-build-minutes.ts'
import { removeOldBuilds } from './cache/remove-old-builds.ts'
import { refuse, runBuild } from './build/run-build.ts'
import { createSynctexIndexes } from './cache/synctex-indexes.ts'
import { createPreviews } from './preview/previews.ts'
import type { Papers } from './types.ts'
import { queueMissingBuilds } from './push/post-receive.ts'
import { erasePending, listPending, markPending } from './push/pending-repositories.ts'
import { watchPush } from './push/watch-push.ts'

/**
 * Delay before the fonts are indexed for the first LuaLaTeX document, so that the index does not slow down the start.
 */
const FONTS_AFTER_MS = 15_000

/** How often the size of the cache is checked. */
const EVICT_EVERY_MS = 10 * 60_000

/** How often old builds are removed; for the first time an hour after the start. */
const RETIRE_EVERY_MS = 3_600_000

/** Longest pause between attempts to record an outcome: the database may be full or busy for a while. */
const MAX_RECORD_PAUSE_MS = 5_000

const LOOK_FOR_ABANDONED_EVERY_MS = 60_000

/** Time a build needs besides compiling, to read its files and to store its PDF. */
const LEASE_SLACK_MS = 5 * 60_000

/** What the builds of a host depend on. */
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
 * @throws SandboxUnavailableError when the configuration requires a sandbox that this machine does not support.
 */
export async function openPapers(
  deps: PapersDeps,
  { takesUp = true }: { readonly takesUp?: boolean } = {},
): Promise<Papers> {
  const { config, git, log, parsers, store } = deps
  const cacheDir = join(config.dataDir, 'cache')
  const compiler = await openProjectCompiler({
    sandbox: config.sandbox,
    cacheDir: join(cacheDir, 'tex'),
    // A command beside a running host builds too little to keep engines waiting.
    waitingEngines: takesUp ? config.build.waitingEngines : 0,
  })
  const warmUp = setTimeout(() => {
    compiler.prepare().catch((error: unknown) => log.warn({ err: error }, 'prepare the compiler'))
  }, FONTS_AFTER_MS).unref()
  const pdfs = createPdfStore(join(cacheDir, 'pdf'))
  const pictures = createPictureStore(join(cacheDir, 'pictures'), { pdfs, compiler })
  const cache = createBuildCache(join(cacheDir, 'builds'))
  const synctexes = createSynctexIndexes({ cache, parsers })
  const folders = ['pdf', 'pictures', 'builds'].map((name) => join(cacheDir, name))
  const measureCache = createCacheMeasure(folders)
  const progressOf = new Map<number, string>()

  const eviction = setInterval(() => void evict(), EVICT_EVERY_MS).unref()
  const retirement = setInterval(() => void retire(), RETIRE_EVERY_MS).unref()

  async function evict(): Promise<void> {
    try {
      const outcome = await evictCache(folders, { builds: store.builds, maxBytes: config.maxCacheBytes })
      if (outcome.removedCount > 0) log.info({ component: 'cache', ...outcome }, 'evicted')
    } catch (error) {
      log.warn({ err: error }, 'evict cache')
    }
  }

  async function retire(): Promise<void> {
    try {
      const now = await store.retentionClock.now()
      const outcome = await removeOldBuilds({ config, store, cache, cacheDir }, { now })
      if (outcome.builds + outcome.files + outcome.drafts > 0)
        log.info({ component: 'cache', ...outcome }, 'removed old builds')
    } catch (error) {
      log.warn({ err: error }, 'remove old builds')
    }
  }

  async function run(build: Build, signal: AbortSignal): Promise<void> {
    // An administrator may have disabled the repository while the build waited, perhaps from another process.
    const repository = await store.repositories.findById(build.repositoryId)
    if (repository === null || repository.isDisabled) return cancelHidden(build)
    // Another branch may have built the same files while this build waited.
    if ((await reuseResult(build, { store, pdfs })) !== null) return
    const refusal = await checkBuildMinutes({ config, store }, repository.owner)
    if (refusal !== null) return store.builds.finish(build.id, refuse(refusal))
    if (!(await store.builds.setRunning(build.id))) return
    if ((await findDiskRoom(config.dataDir)) <= 0)
      return record(build, refuse(describeFault(new DiskFull('build'))), signal)
    progressOf.set(build.id, 'reading the files')
    // The confirming PDF must be recorded before the outcome.
    let confirming = Promise.resolve()
    const onConfirming = (confirmed: ConfirmingPdf): void => {
      confirming = confirming.then(() => showConfirming(build, confirmed))
    }
    const onProgress = (progress: CompileProgress): void => {
      progressOf.set(build.id, describeCompile(progress))
    }
    try {
      const outcome = await runBuild(
        build,
        { config, git, parsers, compiler, pdfs, cache, ownerId: repository.owner.id },
        { signal, onProgress, onConfirming },
      )
      await confirming
      await record(build, outcome, signal)
      if (outcome.pdfId !== null) drawFirstPage(outcome.pdfId)
    } catch (error) {
      if (signal.aborted) throw error
      log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'build could not run')
      await record(build, refuse(describeFault(error)), signal)
    } finally {
      progressOf.delete(build.id)
    }
  }

  /** Cancels a build of a repository that was in the trash or disabled a moment ago. */
  async function cancelHidden(build: Build): Promise<void> {
    await store.builds.cancel([build.id])
    // If it was restored in between, the restoration found this build waiting and queued no other.
    const repository = await store.repositories.findById(build.repositoryId)
    if (repository !== null && !repository.isDisabled) await queueMissing(build.repositoryId)
  }

  /** Retries until the database accepts it: a row without an outcome would show a running build forever. */
  async function record(build: Build, outcome: BuildOutcome, signal: AbortSignal): Promise<void> {
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, MAX_RECORD_PAUSE_MS)) {
      try {
        return await store.builds.finish(build.id, outcome)
      } catch (error) {
        log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'record build; retrying')
      }
      await delay(pauseMs, null, { signal })
    }
  }

  async function showConfirming(build: Build, { pdf, pages }: ConfirmingPdf): Promise<void> {
    try {
      const pdfId = await pdfs.add(pdf)
      await store.builds.setConfirming(build.id, { pdfId, pageCount: pages })
      // This runs during the last pass; the final PDF is usually the same.
      drawFirstPage(pdfId)
    } catch (error) {
      log.warn({ err: error, build: build.number }, 'show a PDF before the last pass')
    }
  }

  /** In the background, so that the image of the repository card is ready for the first reader. */
  function drawFirstPage(pdfId: string): void {
    pictures.find(pdfId, { page: 1, widthPx: pictureWidths[0] }).catch((error: unknown) => {
      log.warn({ err: error }, 'draw first page')
    })
  }

  const queue = createBuildQueue({
    concurrency: config.build.concurrency,
    run,
    cancel: (buildIds) => store.builds.cancel(buildIds),
    requeue: (buildId) => store.builds.requeue(buildId),
    onFault: (error) => log.error({ err: error }, 'build queue'),
  })
  const previews = createPreviews({ config, git, compiler, cache, countBuilds: () => queue.count() })
  const context = { config, git, parsers, store, pdfs, queue }
  const stop = new AbortController()
  const leaseMs = config.build.maxTimeoutMs + LEASE_SLACK_MS
  const abandonment = takesUp
    ? setInterval(() => void lookForAbandoned(), LOOK_FOR_ABANDONED_EVERY_MS).unref()
    : undefined
  const refMoves = openRefMoves(context, { log })
  // Read before this process moves a ref.
  const leftOver = takesUp ? await store.pushJournal.list() : []
  const startedAt = Date.now()
  // In the background: thousands of repositories to recover must not delay the start.
  const recovery = takesUp ? takeUp() : null

  async function takeUp(): Promise<void> {
    await recoverBuilds(context, stop).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error }, 'recover builds')
    })
    await refMoves.recover(leftOver)
    for (const repositoryId of await listPending(config.dataDir))
      if (!stop.signal.aborted && (await queueMissing(repositoryId))) await erasePending(config.dataDir, repositoryId)
    // The process that wrote them has ended: this one has the lock of the data directory.
    await removeAbandonedDrafts(folders, { before: startedAt }).catch((error: unknown) => {
      log.warn({ err: error }, 'remove partial files of the cache')
    })
  }

  async function lookForAbandoned(): Promise<void> {
    await takeUpAbandoned(context, { leaseMs, signal: stop.signal }).catch((error: unknown) => {
      if (!stop.signal.aborted) log.error({ err: error }, 'take up abandoned builds')
    })
  }

  async function queueMissing(repositoryId: number): Promise<boolean> {
    try {
      await queueMissingBuilds(repositoryId, context, stop)
      return true
    } catch (error) {
      if (!stop.signal.aborted) log.error({ err: error, repositoryId }, 'queue missing builds')
      return false
    }
  }

  return {
    moveRefs: (move, work) => refMoves.moveRefs(move, work),
    queuePushedBranch: (branch) => queueDocuments(branch, context),
    async reopen(repositoryId, work) {
      await markPending(config.dataDir, [repositoryId])
      const outcome = await work()
      if (await queueMissing(repositoryId)) await erasePending(config.dataDir, repositoryId)
      return outcome
    },
    requestBuild: (wanted) => requestBuild(wanted, context),
    watchPush: (push, { patience }) =>
      watchPush(push, { ...context, patience, describeProgress: (buildId) => progressOf.get(buildId) ?? null }),
    findPaper: (repositoryId, of) => findPaper(repositoryId, of, context),
    findPaperOfCommit: (repositoryId, of) => findPaperOfCommit(repositoryId, of, context),
    findPdfFile: (pdfId) => pdfs.find(pdfId),
    findPicture: (pdfId, picture) => pictures.find(pdfId, picture),
    findSynctex: (build, options) => synctexes.find(build, options),
    compilePreview: (request) => previews.compile(request),
    findPreview: (at) => previews.find(at),
    findPassTails: (buildId, options) => findPassTails(parsers, { path: cache.passLogsPath(buildId), ...options }),
    findPassLog: (buildId, options) => findPassLog(parsers, { path: cache.passLogsPath(buildId), ...options }),
    measureCache,
    texInventory: () => compiler.inventory(),
    limits: compiler.sandbox.limits,
    waitingEngines: () => compiler.waitingStatus(),
    findTexPackage: (name) => compiler.findPackage(name),
    measurePdfs: (repositoryId) => measurePdfs(repositoryId, context),
    describeProgress: (buildId) => progressOf.get(buildId) ?? null,
    async stopBuild(buildId) {
      await queue.stop(buildId)
      // A build that another process left is in no queue.
      await store.builds.cancel([buildId])
    },
    async close() {
      clearTimeout(warmUp)
      clearInterval(eviction)
      clearInterval(retirement)
      clearInterval(abandonment)
      stop.abort()
      const refMovesEnd = refMoves.close()
      await recovery
      await refMovesEnd
      await Promise.all([queue.close(), previews.close()])
      await pictures.close()
      await compiler.close()
    },
  }
}

function describeCompile(progress: CompileProgress): string {
  if (progress.kind === 'skipped') return 'the last pass is done'
  if (progress.kind === 'page') return `pass ${progress.passNumber}, page ${progress.page}`
  if (progress.kind === 'pass-started') return `pass ${progress.passNumber}, ${progress.program}`
  return `pass ${progress.passNumber} done`
}

/** Faults with a remedy have a code and a message. All others are internal errors and go only to the log. */
function describeFault(error: unknown): string {
  if (findStorageFailure(error) === 'full')
    return 'The disk of the server is full. Build again when the administrator has freed space.'
  const hasCode = error instanceof Error && 'code' in error && error.name === 'PlatexError'
  return hasCode ? error.message : 'Internal error: the build could not run. See the server log.'
}
