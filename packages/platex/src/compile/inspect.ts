/**
 * Runs parsers of untrusted output on worker threads: logs, recorder files, SyncTeX data, auxiliary files.
 *
 * A document controls the size and content of these files, so none is parsed on the thread that serves requests and
 * enforces limits. Workers open the files themselves: only small results and truncated logs are copied between threads.
 */
import {
  createWorkerPool,
  type TaskInput,
  type TaskOutcome,
  type TaskResult,
  type WorkerPool,
} from '../worker/create-worker-pool.ts'
import { findWorkerScript } from '../worker/find-worker-script.ts'
import type { Budget } from './budget.ts'
import type { inspectTasks } from './inspect-worker.ts'
import type { Inspection } from './passes/run.ts'
import type { WorkspacePlace } from './workspace-view.ts'

type InspectTasks = typeof inspectTasks

export interface InspectOptions {
  /** Key of the fair queue. */
  readonly requester: string
  readonly timeLimitMs: number
  readonly signal: AbortSignal | undefined
  /** Called if the task gives no result. @default nothing to note */
  readonly onFault?: () => void
}

/** Several times what the largest parsed logs take on a busy machine. */
const TIME_LIMIT_MS = 10_000
/** Results of a compile that timed out are still read, but not for long. */
const TIME_BEYOND_BUDGET_MS = 3_000
const MEMORY_LIMIT_MB = 256

let pool: WorkerPool<InspectTasks> | null = null

/**
 * Runs one task of `inspect-worker.ts` on a thread.
 *
 * @throws PlatexError `WORKER_MISSING` if the worker script is not installed; the reason of the signal on abort.
 */
export async function inspect<Name extends keyof InspectTasks>(
  name: Name,
  input: TaskInput<InspectTasks, Name>,
  options: InspectOptions,
): Promise<Inspection<TaskResult<InspectTasks, Name>>> {
  const outcome = await sharedPool().run(name, input, options)
  options.signal?.throwIfAborted()
  if (outcome.kind === 'done') return outcome
  options.onFault?.()
  return { kind: 'fault', message: explain(outcome) }
}

/** Options for an inspection of a compile. Without a requester, every compile is a requester of its own. */
export function inspectionOptions({
  job,
  workspace,
  budget,
}: {
  readonly job: { readonly requester?: string | undefined }
  readonly workspace: { readonly place: WorkspacePlace }
  readonly budget: Budget
}): InspectOptions {
  return {
    requester: job.requester ?? workspace.place.dir,
    timeLimitMs: Math.min(TIME_LIMIT_MS, budget.remainingMs() + TIME_BEYOND_BUDGET_MS),
    signal: budget.signal,
    onFault: budget.noteDisturbance,
  }
}

/** Starts a thread while a program runs, so that the inspection after it does not wait. */
export function prepareInspection(): void {
  sharedPool().prepare()
}

function sharedPool(): WorkerPool<InspectTasks> {
  pool ??= createWorkerPool<InspectTasks>(findWorkerScript('inspect-worker', import.meta.url), {
    memoryLimitMb: MEMORY_LIMIT_MB,
  })
  return pool
}

/** The error of a compile that was not analyzed because of other compiles. */
const INSPECTION_BUSY =
  'Too many compiles are waiting to be analyzed, so errors and warnings may be missing. Compile again.'

/** Either they are very large, or the machine is busy. */
const INSPECTION_SLOW =
  'The log and auxiliary files of this document could not be analyzed in time, so errors and warnings may be missing. Compile again; if this happens again, the log is too large.'

function explain(outcome: Exclude<TaskOutcome<never>, { kind: 'done' }>): string {
  switch (outcome.kind) {
    case 'timed-out':
      return INSPECTION_SLOW
    case 'out-of-memory':
      return 'The log and auxiliary files of this document are too large to analyze, so errors and warnings may be missing.'
    case 'busy':
      return INSPECTION_BUSY
    case 'failed':
      return `The log and auxiliary files of this document could not be analyzed: ${outcome.error.message}`
    case 'aborted':
      return 'The analysis of this document was cancelled.'
  }
}
