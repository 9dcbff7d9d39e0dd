/** Builds on remote workers: what their requests read and change. Each request is refused if its lease is lost. */
import type { CompileOutcome } from '@texproof/platex/project'
import type { Logger } from 'pino'

import type { Parsers } from '../../base/open-parsers.ts'
import type { Config } from '../../config/read-config.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import type { BuildJob } from '../../domain/build/worker-protocol.ts'
import type { GitStore } from '../../git/types.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { Store } from '../../store/store.ts'
import type { BuildCache } from '../cache/build-cache.ts'
import type { PdfStore } from '../cache/pdf-store.ts'
import { listLinkTargets, listTreeFiles, readBlobs } from './read-tree-files.ts'
import { keepOutcome, readTimeoutMs, tenantOf } from './run-build.ts'
import { loseLease } from './lose-lease.ts'
import type { RemoteSlots } from './remote-slots.ts'

/** Dependencies of remote builds. */
export interface RemoteBuildsDeps {
  readonly config: Config
  readonly log: Logger
  readonly store: Store
  readonly git: GitStore
  readonly parsers: Parsers
  readonly pdfs: PdfStore
  readonly cache: BuildCache
  readonly slots: RemoteSlots
  readonly onProgress: (buildId: number, progress: string | null) => void
  /** Called with each new PDF. */
  readonly onPdf: (build: Build, pdfId: string) => void
}

export interface RemoteBuilds {
  /** Offers a slot of a worker; null if there is no job until `signal` aborts. */
  take(worker: string, signal: AbortSignal): Promise<BuildJob | null>
  /** Contents by id, of those that belong to the build; null if the lease is lost. */
  readFiles(lease: BuildLease, blobIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array> | null>
  /** Auxiliary files of the last build; null if the lease is lost. */
  readWarmStart(lease: BuildLease): Promise<ReadonlyMap<string, Uint8Array> | null>
  /** False if the lease is lost. */
  renew(lease: BuildLease, progress: string | null): Promise<boolean>
  /** Stores and records an outcome; false if the lease is lost. */
  finish(lease: BuildLease, outcome: CompileOutcome): Promise<boolean>
  /** Returns a build to the queue; `fault` = why the worker could not compile it. False if the lease is lost. */
  giveBack(lease: BuildLease, fault: string | null): Promise<boolean>
}

/** Creates the requests of workers. */
export function createRemoteBuilds(deps: RemoteBuildsDeps): RemoteBuilds {
  const { config, log, store, git, pdfs, cache, slots, onProgress, onPdf } = deps
  const { leaseMs } = config.build

  /** The build of a lease that is held. */
  async function findHeld(lease: BuildLease): Promise<Build | null> {
    return (await store.buildLeases.isHeld(lease)) ? store.builds.find(lease.buildId) : null
  }

  /** A newer push cancels builds of this process at once; those given away before a restart end here. */
  async function isReplaced({ repositoryId, ref, commitId, id }: Build): Promise<boolean> {
    const newest = await store.builds.findNewest(repositoryId, { ref, document: null })
    return newest !== null && newest.id > id && newest.commitId !== commitId
  }

  return {
    take: (worker, signal) => slots.offer(worker, signal),

    async readFiles(lease, blobIds) {
      const build = await findHeld(lease)
      if (build === null) return null
      const { repositoryId, commitId } = build
      const tree = await listTreeFiles(git, repositoryId, { commitId, ...limitsOf(config) })
      if (tree.kind === 'refused') return new Map()
      const wanted = new Set(blobIds)
      const files = [...tree.files.values()].filter(({ objectId }) => wanted.has(objectId))
      return readBlobs(git, repositoryId, files)
    },

    async readWarmStart(lease) {
      const build = await findHeld(lease)
      return build === null ? null : ((await cache.findAux(build)) ?? new Map())
    },

    async renew(lease, progress) {
      const isHeld = await store.buildLeases.renew(lease, { leaseMs })
      if (!isHeld) return false
      const build = await store.builds.find(lease.buildId)
      if (build !== null && (await isReplaced(build))) {
        await store.builds.cancel([build.id])
        slots.end(lease, 'over')
        return false
      }
      onProgress(lease.buildId, progress)
      return true
    },

    async finish(lease, outcome) {
      const build = await findHeld(lease)
      if (build === null) return false
      const { repositoryId, commitId } = build
      const tree = await listTreeFiles(git, repositoryId, { commitId, ...limitsOf(config) })
      const targets = listLinkTargets(tree.kind === 'listed' ? tree.files : new Map())
      const kept = await keepOutcome(build, outcome, { pdfs, cache, targets })
      const isRecorded = await store.builds.finish(build.id, kept, lease)
      onProgress(build.id, null)
      slots.end(lease, 'over')
      if (isRecorded && kept.pdfId !== null) onPdf(build, kept.pdfId)
      return isRecorded
    },

    async giveBack(lease, fault) {
      onProgress(lease.buildId, null)
      if (fault === null) {
        const isReleased = await store.buildLeases.release(lease)
        slots.end(lease, 'again')
        return isReleased
      }
      log.warn({ buildId: lease.buildId, worker: lease.worker, fault }, 'a worker could not run a build')
      const end = await loseLease(lease, { store, fault })
      if (end !== null) slots.end(lease, end)
      return end !== null
    },
  }
}

/** Describes a build for a worker that has taken its lease; or why it cannot be built. */
export async function describeJob(
  { build, repository, lease }: { readonly build: Build; readonly repository: Repository; readonly lease: BuildLease },
  { config, git, parsers, cache }: Pick<RemoteBuildsDeps, 'config' | 'git' | 'parsers' | 'cache'>,
): Promise<{ readonly kind: 'job'; readonly job: BuildJob } | { readonly kind: 'refused'; readonly message: string }> {
  const { repositoryId, commitId, rootFile, engine, bibliography } = build
  const { owner, name } = repository
  const [tree, commit, timeoutMs, warmStartFiles] = await Promise.all([
    listTreeFiles(git, repositoryId, { commitId, ...limitsOf(config) }),
    git.findCommit(repositoryId, commitId),
    readTimeoutMs(build, { config, git, parsers, ownerId: owner.id }),
    cache.findAux(build),
  ])
  if (tree.kind === 'refused') return tree
  if (!tree.files.has(rootFile)) return { kind: 'refused', message: `${rootFile} cannot be read from the repository.` }
  const files = [...tree.files].map(([path, { objectId, size }]) => ({ path, blobId: objectId, sizeBytes: size }))
  const job = {
    buildId: build.id,
    attempt: lease.attempt,
    leaseMs: config.build.leaseMs,
    title: `${owner.login}/${name} #${build.number} (${rootFile})`,
    rootFile,
    engine,
    bibliography,
    timeoutMs,
    committedAt: commit?.committer.at ?? null,
    requester: owner.id,
    tenant: tenantOf(build),
    files,
    hasWarmStart: warmStartFiles !== null && warmStartFiles.size > 0,
  }
  return { kind: 'job', job }
}

function limitsOf({ build: { maxFiles, maxBytes } }: Config) {
  return { maxFiles, maxBytes }
}
