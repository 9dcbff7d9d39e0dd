/**
 * Runs builds of the queue: takes the lease of a build, compiles it here or gives it to a worker, and records the outcome.
 * An outcome is recorded only under the lease of its run.
 */
import { setTimeout as delay } from 'node:timers/promises'

import type { CompileProgress, ConfirmingPdf } from '@texproof/platex/project'
import type { Logger } from 'pino'

import { runForClient } from '../../base/client-signal.ts'
import type { Parsers } from '../../base/open-parsers.ts'
import { DiskFull, findDiskRoom, findStorageFailure } from '../../base/storage-failure.ts'
import type { Config } from '../../config/read-config.ts'
import type { Build, BuildOutcome } from '../../domain/build.ts'
import { describeCompile } from '../../domain/build/describe-compile.ts'
import type { Repository } from '../../domain/types.ts'
import type { GitStore } from '../../git/types.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { Store } from '../../store/store.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import { pictureWidths, type PictureStore } from '../cache/page-image-store.ts'
import type { PdfStore } from '../cache/pdf-store.ts'
import type { HostCompiler } from '../host-compiler.ts'
import type { BuildEnd } from './build-queue.ts'
import { createBuildMinutesCheck } from './check-build-minutes.ts'
import { reuseResult } from './reuse-result.ts'
import { createRemoteBuilds, describeJob, type RemoteBuilds } from './remote-builds.ts'
import { createRemoteSlots, type ClaimedSlot, type RemoteSlots } from './remote-slots.ts'
import { refuse, runBuild } from './run-build.ts'

/** Longest pause between attempts to record an outcome: the database may be full or busy for a while. */
const MAX_RECORD_PAUSE_MS = 5_000

export interface BuildRunnerDeps {
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly git: GitStore
  readonly parsers: Parsers
  readonly compiler: Pick<HostCompiler, 'compile'>
  readonly pdfs: PdfStore
  readonly pictures: PictureStore
  readonly cache: BuildCache
  /** Name under which this process holds leases. */
  readonly worker: string
  /** Builds that run or wait in this process. */
  readonly countBuilds: () => number
  /** Queues builds of the branches and tags of a repository that have none. */
  readonly queueMissing: (repositoryId: number) => Promise<boolean>
  /** Called when a worker offers a slot. */
  readonly onSlot: () => void
}

export interface BuildRunner {
  run(build: Build, signal: AbortSignal): Promise<BuildEnd>
  /** Builds that can run at once, here and on workers. */
  countSlots(): number
  /** Requests of workers on other machines. */
  readonly remoteBuilds: RemoteBuilds
  readonly remoteSlots: RemoteSlots
  /** Records that builds were cancelled. */
  cancel(buildIds: readonly number[]): Promise<void>
  /** Returns a build of this process to the queue. */
  release(buildId: number): Promise<void>
  /** The current step of a running build, as text; null if it does not run here. */
  describeProgress(buildId: number): string | null
  close(): void
}

/** Creates the runner of a host. */
export function createBuildRunner(deps: BuildRunnerDeps): BuildRunner {
  const { config, log, store, git, pdfs, pictures, worker, queueMissing } = deps
  const { leaseMs } = config.build
  const checkBuildMinutes = createBuildMinutesCheck({ config, store })
  const progressOf = new Map<number, string>()
  /** Leases of the builds that run, here or on workers, for `release`. */
  const leases = new Map<number, BuildLease>()
  /** Leases that this process renews: of the builds that it compiles, and of no others. If it leaves a build, the lease expires. */
  const compiling = new Set<BuildLease>()
  const localSlots = config.build.isLocal ? config.build.concurrency : 0
  let localCount = 0
  const remoteSlots = createRemoteSlots(deps.onSlot)
  const remoteBuilds = createRemoteBuilds({
    ...deps,
    slots: remoteSlots,
    onPdf: drawFirstPage,
    onProgress(buildId, progress) {
      if (progress === null) progressOf.delete(buildId)
      else progressOf.set(buildId, progress)
    },
  })
  const renewal = setInterval(() => void renewAll(), leaseMs / 4).unref()

  async function renewAll(): Promise<void> {
    await store.buildLeases
      .renewAll([...compiling], { leaseMs })
      .catch((error: unknown) => log.error({ err: error }, 'renew the leases of builds'))
  }

  function run(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    if (localCount < localSlots) return runHere(build, signal)
    const slot = remoteSlots.claim()
    if (slot !== null) return runOnWorker(build, slot, signal)
    // A build may run beyond the slots, see `fair-queue.ts`.
    return localSlots > 0 ? runHere(build, signal) : runOnNextWorker(build, signal)
  }

  async function runHere(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    localCount += 1
    try {
      const repository = await prepare(build)
      const lease = repository && (await store.buildLeases.take(build.id, { worker, leaseMs }))
      if (repository === null || lease === null) return 'over'
      leases.set(build.id, lease)
      compiling.add(lease)
      await compile(build, { ownerId: repository.owner.id, lease, signal }).finally(() => compiling.delete(lease))
      leases.delete(build.id)
      return 'over'
    } finally {
      localCount -= 1
    }
  }

  async function runOnNextWorker(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    return runOnWorker(build, await remoteSlots.claimNext(signal), signal)
  }

  async function runOnWorker(build: Build, slot: ClaimedSlot, signal: AbortSignal): Promise<BuildEnd> {
    try {
      const repository = await prepare(build)
      const lease = repository && (await store.buildLeases.take(build.id, { worker: slot.worker, leaseMs }))
      if (repository === null || lease === null) return 'over'
      leases.set(build.id, lease)
      const end = await giveAway(build, { repository, lease, slot, signal })
      leases.delete(build.id)
      return end
    } finally {
      slot.close()
      progressOf.delete(build.id)
    }
  }

  async function giveAway(
    build: Build,
    {
      repository,
      lease,
      slot,
      signal,
    }: {
      readonly repository: Repository
      readonly lease: BuildLease
      readonly slot: ClaimedSlot
      readonly signal: AbortSignal
    },
  ): Promise<BuildEnd> {
    const described = await describeJob({ build, repository, lease }, deps).catch((error: unknown) => {
      log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'build could not run')
      return { kind: 'refused', message: describeFault(error) } as const
    })
    if (described.kind === 'refused') {
      await record(build, refuse(described.message), { lease, signal })
      return 'over'
    }
    const end = slot.give(described.job, lease, signal)
    if (end !== null) return end
    await store.buildLeases.release(lease)
    return 'again'
  }

  /** The repository of the build; null if the build is over without a compile. */
  async function prepare(build: Build): Promise<Repository | null> {
    // An administrator may have disabled the repository while the build waited, perhaps from another process.
    const repository = await store.repositories.findById(build.repositoryId)
    if (repository === null || repository.isDisabled) {
      await cancelHidden(build)
      return null
    }
    // Another branch may have built the same files while this build waited.
    if ((await reuseResult(build, { store, git, pdfs })) !== null) return null
    const refusal = await checkBuildMinutes(repository.owner)
    if (refusal === null) return repository
    await store.builds.finish(build.id, refuse(refusal))
    return null
  }

  /** Cancels a build of a repository that was in the trash or disabled a moment ago. */
  async function cancelHidden({ id, repositoryId }: Build): Promise<void> {
    await store.builds.cancel([id])
    // If it was restored in between, the restoration found this build waiting and queued no other.
    const repository = await store.repositories.findById(repositoryId)
    if (repository !== null && !repository.isDisabled) await queueMissing(repositoryId)
  }

  async function compile(
    build: Build,
    { ownerId, lease, signal }: { readonly ownerId: string; readonly lease: BuildLease; readonly signal: AbortSignal },
  ): Promise<void> {
    if ((await findDiskRoom(config.dataDir)) <= 0)
      return record(build, refuse(describeFault(new DiskFull('build'))), { lease, signal })
    progressOf.set(build.id, 'reading the files')
    // The confirming PDF must be recorded before the outcome.
    let confirming = Promise.resolve()
    const onConfirming = (confirmed: ConfirmingPdf): void => {
      confirming = confirming.then(() => showConfirming(build, lease, confirmed))
    }
    const onProgress = (progress: CompileProgress): void => {
      progressOf.set(build.id, describeCompile(progress))
    }
    try {
      const isLast = (): boolean => deps.countBuilds() <= 1
      const outcome = await runBuild(build, { ...deps, ownerId }, { signal, onProgress, onConfirming, isLast })
      await confirming
      await record(build, outcome, { lease, signal })
      if (outcome.pdfId !== null) drawFirstPage(build, outcome.pdfId)
    } catch (error) {
      if (signal.aborted) throw error
      log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'build could not run')
      await record(build, refuse(describeFault(error)), { lease, signal })
    } finally {
      progressOf.delete(build.id)
    }
  }

  /** Retries until the database accepts it: a row without an outcome would show a running build forever. */
  async function record(
    build: Build,
    outcome: BuildOutcome,
    { lease, signal }: { readonly lease: BuildLease; readonly signal: AbortSignal },
  ): Promise<void> {
    const place = { repositoryId: build.repositoryId, build: build.number }
    for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, MAX_RECORD_PAUSE_MS)) {
      try {
        const isRecorded = await store.builds.finish(build.id, outcome, lease)
        if (!isRecorded) log.warn(place, 'the build was cancelled or taken over; its result is dropped')
        return
      } catch (error) {
        log.error({ err: error, ...place }, 'record build; retrying')
      }
      await delay(pauseMs, null, { signal })
    }
  }

  async function showConfirming(build: Build, lease: BuildLease, { pdf, pages }: ConfirmingPdf): Promise<void> {
    try {
      const pdfId = await pdfs.add(pdf)
      await store.builds.setConfirming(lease, { pdfId, pageCount: pages })
      // This runs during the last pass; the final PDF is usually the same.
      drawFirstPage(build, pdfId)
    } catch (error) {
      log.warn({ err: error, build: build.number }, 'show a PDF before the last pass')
    }
  }

  /** Draws the first page in the background, so that the repository card is ready for the first viewer. */
  function drawFirstPage({ repositoryId }: Build, pdfId: string): void {
    const draw = async (): Promise<void> => {
      const ownerId = (await store.repositories.findById(repositoryId))?.owner.id ?? ''
      const first = { pdfId, page: 1, widthPx: pictureWidths[0] }
      await pictures.find({ ...first, ownerId, requesterId: ownerId })
    }
    // The client of the request that queued the build does not wait for the image.
    runForClient(new AbortController().signal, draw).catch((error: unknown) => {
      log.warn({ err: error }, 'draw first page')
    })
  }

  return {
    run,
    countSlots: () => localSlots + remoteSlots.count(),
    remoteBuilds,
    remoteSlots,
    async cancel(buildIds) {
      for (const id of buildIds) leases.delete(id)
      await store.builds.cancel(buildIds)
    },
    async release(buildId) {
      const lease = leases.get(buildId)
      leases.delete(buildId)
      if (lease !== undefined) await store.buildLeases.release(lease)
    },
    describeProgress: (buildId) => progressOf.get(buildId) ?? null,
    close() {
      clearInterval(renewal)
      remoteSlots.close()
    },
  }
}

/** Faults with a remedy have a code and a message. All others are internal errors and go only to the log. */
function describeFault(error: unknown): string {
  if (findStorageFailure(error) === 'full')
    return 'The server disk is full. Contact the administrator, then build again.'
  const hasCode = error instanceof Error && 'code' in error && error.name === 'PlatexError'
  return hasCode ? error.message : 'Internal error: the build could not run. See the server log.'
}
