/**
 * Exports that run in the background, each for the user who requested it. The packages are files, so that they do not
 * use memory; they are deleted after an hour, and when newer ones need their place.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { whenAbsent } from '../../base/absent.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { Parsers } from '../../base/open-parsers.ts'
import type { Config } from '../../config/read-config.ts'
import type { Build } from '../../domain/build.ts'
import type { GitStore } from '../../git/types.ts'
import { readTreeFiles } from '../../papers/build/read-tree-files.ts'
import type { Papers } from '../../papers/types.ts'
import { temporaryFolder } from '../temporary-files.ts'
import { makePackage } from './make-package.ts'
import type { Package, PackCompiler, PackOptions, PackOutcome, PackTarget } from './types.ts'

/** Document to export, and the user who requested it. */
export interface ExportRequest {
  readonly userId: string
  /** Owner of the repository. */
  readonly ownerId: string
  /** The build of the document, whose commit has the files. */
  readonly build: Build
  readonly target: PackTarget
  readonly options: PackOptions
  /** Name of the package without suffix. */
  readonly name: string
}

/** An export and its progress. */
export interface ExportJob {
  readonly id: string
  readonly request: ExportRequest
  readonly state:
    | { readonly kind: 'running'; readonly step: string }
    | { readonly kind: 'refused'; readonly problem: string }
    | { readonly kind: 'packed'; readonly made: Omit<Package, 'zip'> }
}

/** Exports by id, visible only to the user who requested them. */
export interface ExportJobs {
  /** Starts an export. Returns its id; null if too many are running. */
  start(request: ExportRequest): string | null
  find(userId: string, id: string): ExportJob | null
  /** The package; null if it has expired. */
  readZip(userId: string, id: string): Promise<Uint8Array | null>
}

/** Dependencies of exports. */
export interface ExportStores {
  readonly config: Pick<Config, 'dataDir' | 'build'>
  readonly log: Logger
  readonly git: GitStore
  readonly parsers: Parsers
  readonly papers: Pick<Papers, 'spareCompiler'>
}

/** How long a package can be downloaded at most. */
export const packageKeptMs = 60 * 60_000
/** Stored exports, and exports that run. */
const MAX_JOBS = 40
const MAX_JOBS_PER_USER = 4
/** Each has all files of its commit in memory. While one compiles, the next one can be prepared. */
const MAX_AT_ONCE = 2

/** Opens the exports of this process. */
export function openExportJobs(stores: ExportStores): ExportJobs {
  const folder = temporaryFolder(stores.config.dataDir, 'exports')
  const jobs = new Map<string, ExportJob>()
  const turns = createLimiter({ atOnce: MAX_AT_ONCE })

  const own = (userId: string, id: string): ExportJob | null => {
    const job = jobs.get(id)
    return job?.request.userId === userId ? job : null
  }
  const drop = async (id: string): Promise<void> => {
    jobs.delete(id)
    await rm(join(folder, id), { force: true })
  }
  const setState = (id: string, state: ExportJob['state']): void => {
    const job = jobs.get(id)
    if (job !== undefined) jobs.set(id, { ...job, state })
  }

  async function run(id: string, request: ExportRequest): Promise<void> {
    try {
      const outcome = await exportBuild(stores, request, (step) => setState(id, { kind: 'running', step }))
      if (outcome.kind === 'refused') return setState(id, outcome)
      const { zip, ...made } = outcome
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, id), zip, { mode: 0o600 })
      setState(id, { kind: 'packed', made })
    } catch (error) {
      // The page shows that it failed, the log why.
      stores.log.error({ err: error, repositoryId: request.build.repositoryId }, 'export')
      setState(id, { kind: 'refused', problem: 'Internal error: the export could not run. See the server log.' })
    } finally {
      // If the file cannot be removed then, housekeeping removes it.
      setTimeout(() => void drop(id).catch(() => null), packageKeptMs).unref()
    }
  }

  return {
    start(request) {
      const all = [...jobs.values()]
      const mine = all.filter(({ request: { userId } }) => userId === request.userId)
      if (countRunning(all) >= MAX_JOBS || countRunning(mine) >= MAX_JOBS_PER_USER) return null
      // A new export replaces a finished one: the user's own if the user has too many, otherwise anyone's.
      const full = mine.length >= MAX_JOBS_PER_USER ? mine : all.length >= MAX_JOBS ? all : []
      const oldest = full.find(isOver)
      // A file that cannot be removed is removed by housekeeping.
      if (oldest !== undefined) void drop(oldest.id).catch(() => null)
      const id = randomBytes(16).toString('hex')
      jobs.set(id, { id, request, state: { kind: 'running', step: 'waiting' } })
      // The users take turns.
      void turns.run(request.userId, () => run(id, request))
      return id
    },
    find: (userId, id) => own(userId, id),
    async readZip(userId, id) {
      if (own(userId, id)?.state.kind !== 'packed') return null
      return readFile(join(folder, id)).catch(whenAbsent(null)) // Absent: expired in the meantime.
    },
  }
}

function isOver({ state }: ExportJob): boolean {
  return state.kind !== 'running'
}

function countRunning(jobs: readonly ExportJob[]): number {
  return jobs.filter((job) => !isOver(job)).length
}

async function exportBuild(
  { config, git, parsers, papers }: ExportStores,
  { ownerId, userId, build, target, options, name }: ExportRequest,
  onStep: (step: string) => void,
): Promise<PackOutcome> {
  const { maxFiles, maxBytes, maxTimeoutMs } = config.build
  const [tree, commit] = await Promise.all([
    readTreeFiles(git, build.repositoryId, { commitId: build.commitId, maxFiles, maxBytes }),
    git.findCommit(build.repositoryId, build.commitId),
  ])
  if (tree.kind === 'refused') return { kind: 'refused', problem: tree.message }
  const signal = AbortSignal.timeout(3 * maxTimeoutMs + packageKeptMs)
  const tenant = `repository ${build.repositoryId}`
  const { spareCompiler } = papers
  const compiler: PackCompiler = {
    ...spareCompiler,
    // Fairness is between the users who export, not between the owners of the repositories.
    compile: (job) => spareCompiler.compile({ ...job, requester: userId, tenant }, signal),
    findConvertedPicture: (picture) => spareCompiler.findConvertedPicture({ ...picture, tenant }),
  }
  return makePackage(
    {
      files: tree.files,
      rootFile: build.rootFile,
      engine: build.engine,
      bibliography: build.bibliography,
      timeoutMs: maxTimeoutMs,
      sourceDateEpoch: Math.max(0, Math.floor((commit?.committer.at ?? 0) / 1000)),
      target,
      options,
      name,
      ownerId,
    },
    { compiler, parsers, onStep },
  )
}
