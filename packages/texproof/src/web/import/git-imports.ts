/** Imports from git that run in the background, visible to the users who started them. */
import { randomBytes } from 'node:crypto'

import type { Logger } from 'pino'

import type { User } from '../../domain/types.ts'
import { importGit, type GitImport, type GitImportStores } from '../../operations/import/import-git.ts'
import type { ImportOutcome } from '../../operations/import/import-archive.ts'

/** An import and its progress. */
export interface GitImportJob {
  readonly userId: string
  /** `alice/tides`. */
  readonly fullName: string
  readonly address: string
  readonly state:
    | { readonly kind: 'running'; readonly step: string }
    | { readonly kind: 'over'; readonly outcome: ImportOutcome | { readonly kind: 'cancelled' | 'failed' } }
}

interface CancellableJob extends GitImportJob {
  readonly cancellation: AbortController
}

/** Repository to import. */
type WantedImport = Pick<GitImport, 'details' | 'address' | 'isMirror'>

/** The imports of a host. */
export interface GitImports {
  /** Starts an import. Returns its id; null if too many are running. */
  start(user: User, wanted: WantedImport): string | null
  find(userId: string, id: string): GitImportJob | null
  /** Stops an import. One that is creating its repository finishes. */
  cancel(userId: string, id: string): void
}

/** How long the outcome is shown. */
const keptMs = 15 * 60_000
const maxRunning = 8
const maxRunningPerUser = 2

/** Opens the imports of a host. */
export function openGitImports(stores: GitImportStores & { readonly log: Logger }): GitImports {
  const jobs = new Map<string, CancellableJob>()

  async function run(id: string, job: CancellableJob, wanted: WantedImport): Promise<void> {
    const cancelled = job.cancellation.signal
    const setState = (state: GitImportJob['state']): void => void jobs.set(id, { ...job, state })
    try {
      const onStep = (step: string): void => setState({ kind: 'running', step })
      const signal = AbortSignal.any([cancelled, AbortSignal.timeout(keptMs)])
      const outcome = await importGit(stores, { ...wanted, onStep, signal })
      setState({
        kind: 'over',
        outcome: outcome.kind === 'refused' && cancelled.aborted ? { kind: 'cancelled' } : outcome,
      })
    } catch (error) {
      // The page shows that it failed, the log why.
      stores.log.error({ err: error }, 'import from git')
      setState({ kind: 'over', outcome: { kind: 'failed' } })
    } finally {
      setTimeout(() => jobs.delete(id), keptMs).unref()
    }
  }

  function find(userId: string, id: string): CancellableJob | null {
    const job = jobs.get(id)
    return job?.userId === userId ? job : null
  }

  return {
    find,
    cancel: (userId, id) => find(userId, id)?.cancellation.abort(),
    start(user, wanted) {
      const running = [...jobs.values()].filter(({ state }) => state.kind === 'running')
      const mine = running.filter(({ userId }) => userId === user.id)
      if (running.length >= maxRunning || mine.length >= maxRunningPerUser) return null
      const id = randomBytes(16).toString('hex')
      const fullName = `${user.login}/${wanted.details.name}`
      const state = { kind: 'running', step: 'starting' } as const
      const cancellation = new AbortController()
      const job = { userId: user.id, fullName, address: wanted.address, state, cancellation }
      jobs.set(id, job)
      void run(id, job, wanted)
      return id
    },
  }
}
