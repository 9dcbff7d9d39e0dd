/**
 * The loop of a worker: each slot repeatedly takes a job, compiles it and sends the result. The worker stores
 * nothing but a cache of contents, and may be killed at any time: its leases expire, and other workers take its builds.
 */
import type { Logger } from 'pino'

import type { BuildJob, WorkerReport } from '../domain/build/worker-protocol.ts'
import { compileJob, type CompileTools } from './compile-job.ts'
import { LeaseLost, ServerRefused, type ServerConnection } from './server-connection.ts'

/** How often progress is reported at most. */
const PROGRESS_EVERY_MS = 1_000
/** A worker that cannot compile must not take one build after the other. */
const PAUSE_AFTER_FAULT_MS = 5_000

export interface WorkerOptions extends Pick<CompileTools, 'compiler' | 'blobs'> {
  readonly connection: ServerConnection
  readonly log: Logger
  /** Builds that run at once. */
  readonly slots: number
  /** Status report of the worker, without its load. */
  readonly describe: () => Omit<WorkerReport, 'running' | 'slots'>
  /** Resolves when `describe` returns more than at the start. */
  readonly whenDescribed: Promise<unknown>
}

/**
 * Works until `signal` aborts; then gives its builds back.
 *
 * @throws ServerRefused if the server does not accept the key.
 */
export async function runWorker(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { connection, log, slots, describe } = options
  const refused = new AbortController()
  const stop = AbortSignal.any([signal, refused.signal])
  let running = 0
  const reportNow = (): WorkerReport => ({ ...describe(), slots, running })

  async function work(): Promise<void> {
    while (!stop.aborted) {
      try {
        const job = await connection.takeJob(reportNow, stop)
        running += 1
        await runJob(job).finally(() => (running -= 1))
      } catch (error) {
        if (stop.aborted) return
        // Ends the other slots too.
        refused.abort(error)
        throw error
      }
    }
  }

  async function runJob(job: BuildJob): Promise<void> {
    const line = { build: job.title, attempt: job.attempt }
    const startedAt = performance.now()
    log.info(line, 'build started')
    const lost = new AbortController()
    const jobSignal = AbortSignal.any([stop, lost.signal])
    const lease = keepLease(job, { connection, log, report: reportNow, onLost: () => lost.abort(new LeaseLost()) })
    try {
      const result = await compileJob(job, options, { signal: jobSignal, onProgress: lease.note })
      await connection.sendResult(job, result, jobSignal)
      log.info({ ...line, duration_ms: Math.round(performance.now() - startedAt) }, 'build sent')
    } catch (error) {
      if (error instanceof ServerRefused && error.isForAll) throw error
      if (lost.signal.aborted || error instanceof LeaseLost) log.info(line, 'build was cancelled or taken over')
      else await giveBack(job, stop.aborted ? null : error)
    } finally {
      lease.close()
    }
  }

  async function giveBack(job: BuildJob, fault: unknown): Promise<void> {
    const line = { build: job.title, attempt: job.attempt }
    if (fault === null) log.info(line, 'build returned to the queue')
    else log.error({ ...line, err: fault }, 'build could not run here')
    const reason = fault === null ? null : fault instanceof Error ? fault.message : String(fault)
    // The lease expires if the server cannot be reached.
    await connection
      .returnJob(job, reason)
      .catch((error: unknown) => log.warn({ ...line, err: error }, 'return a build'))
    if (fault !== null) await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_FAULT_MS))
  }

  void options.whenDescribed
    .then(() => connection.introduce(reportNow()))
    .catch((error: unknown) => log.debug({ err: error }, 'register the worker'))
  try {
    await Promise.all(Array.from({ length: slots }, work))
  } finally {
    await connection.signOff().catch((error: unknown) => log.debug({ err: error }, 'unregister the worker'))
  }
}

/** Renews a lease, more often while there is progress to report. */
function keepLease(
  job: BuildJob,
  options: {
    readonly connection: ServerConnection
    readonly log: Logger
    readonly report: () => WorkerReport
    readonly onLost: () => void
  },
): { readonly note: (progress: string) => void; readonly close: () => void } {
  const everyMs = job.leaseMs / 6
  let progress: string | null = null
  let sentProgress: string | null = null
  let sentAt = performance.now()
  let isSending = false

  async function look(): Promise<void> {
    const isDue = performance.now() - sentAt >= everyMs || progress !== sentProgress
    if (!isDue || isSending) return
    isSending = true
    try {
      sentProgress = progress
      if (!(await options.connection.renew(job, { progress, report: options.report() }))) options.onLost()
      sentAt = performance.now()
    } catch (error) {
      options.log.debug({ err: error, build: job.title }, 'renew a lease; retrying')
    } finally {
      isSending = false
    }
  }

  const timer = setInterval(() => void look(), Math.min(PROGRESS_EVERY_MS, everyMs))
  return { note: (text) => void (progress = text), close: () => clearInterval(timer) }
}
