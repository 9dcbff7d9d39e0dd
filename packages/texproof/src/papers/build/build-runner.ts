/**
 * Runs builds of the queue: takes the lease of a build, compiles it here or gives it to a worker, and records the outcome.
 * An outcome is recorded only under the lease of its run.
 */
import { createFaultLog } from '../../base/log/fault-log.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { BuildEnd } from './build-queue.ts'
import { createBuildMinutesCheck } from './check-build-minutes.ts'
import { drawFirstPage } from './draw-first-page.ts'
import { prepareBuild, type PrepareDeps } from './prepare-build.ts'
import { describeFault, recordOutcome } from './record-outcome.ts'
import { createRemoteBuilds, describeJob, type RemoteBuilds } from './remote-builds.ts'
import { createRemoteSlots, type ClaimedSlot, type RemoteSlots } from './remote-slots.ts'
import { refuse } from './run-build.ts'
import { runLocalBuild, type LocalBuildDeps } from './run-local-build.ts'

export interface BuildRunnerDeps extends LocalBuildDeps, Omit<PrepareDeps, 'checkBuildMinutes'> {
  /** Name under which this process holds leases. */
  readonly worker: string
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

/** A build whose lease was taken. */
interface StartedBuild {
  readonly build: Build
  readonly repository: Repository
  readonly lease: BuildLease
}

/** Creates the runner of a host. */
export function createBuildRunner(deps: BuildRunnerDeps): BuildRunner {
  const { config, log, store, worker } = deps
  const { leaseMs } = config.build
  const checkBuildMinutes = createBuildMinutesCheck(deps)
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
    onPdf: (build, pdfId) => drawFirstPage(build, pdfId, deps),
    onProgress(buildId, progress) {
      if (progress === null) progressOf.delete(buildId)
      else progressOf.set(buildId, progress)
    },
  })
  const renewalFaults = createFaultLog(log, 'renew the leases of builds')
  const renewal = setInterval(() => void renewAll(), leaseMs / 4).unref()

  async function renewAll(): Promise<void> {
    await store.buildLeases.renewAll([...compiling], { leaseMs }).then(renewalFaults.succeed, renewalFaults.fail)
  }

  function run(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    if (localCount < localSlots) return runHere(build, signal)
    const slot = remoteSlots.claim()
    if (slot !== null) return runOnWorker(build, slot, signal)
    // A build may run beyond the slots, see `fair-queue.ts`.
    return localSlots > 0 ? runHere(build, signal) : runOnNextWorker(build, signal)
  }

  /** Takes the lease of a build that may start; null if the build is over. */
  async function start(build: Build, holder: string): Promise<StartedBuild | null> {
    const repository = await prepareBuild(build, { ...deps, checkBuildMinutes })
    const lease = repository && (await store.buildLeases.take(build.id, { worker: holder, leaseMs }))
    if (repository === null || lease === null) return null
    leases.set(build.id, lease)
    return { build, repository, lease }
  }

  async function runHere(build: Build, signal: AbortSignal): Promise<BuildEnd> {
    localCount += 1
    try {
      const started = await start(build, worker)
      if (started === null) return 'over'
      const { repository, lease } = started
      compiling.add(lease)
      const onStep = (step: string): void => void progressOf.set(build.id, step)
      await runLocalBuild(build, deps, { ownerId: repository.owner.id, lease, signal, onStep }).finally(() => {
        compiling.delete(lease)
        progressOf.delete(build.id)
      })
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
      const started = await start(build, slot.worker)
      if (started === null) return 'over'
      const end = await giveAway(started, slot, signal)
      leases.delete(build.id)
      return end
    } finally {
      slot.close()
      progressOf.delete(build.id)
    }
  }

  async function giveAway(started: StartedBuild, slot: ClaimedSlot, signal: AbortSignal): Promise<BuildEnd> {
    const { build, lease } = started
    const described = await describeJob(started, deps).catch((error: unknown) => {
      log.error({ err: error, repositoryId: build.repositoryId, build: build.number }, 'build could not run')
      return { kind: 'refused', message: describeFault(error) } as const
    })
    if (described.kind === 'refused') {
      await recordOutcome(build, refuse(described.message), { store, log, lease, signal })
      return 'over'
    }
    const end = slot.give(described.job, lease, signal)
    if (end !== null) return end
    await store.buildLeases.release(lease)
    return 'again'
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
