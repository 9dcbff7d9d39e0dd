/**
 * What a server and a worker exchange. A worker takes a job, fetches the files it lacks, renews its lease while it
 * compiles, and sends the result. Every request names the lease, so the server refuses a worker that was replaced.
 */
import type { BibEngine, ProjectEngine } from '@texproof/platex'

/** All requests of workers start with it. */
export const workerApiPrefix = '/api/workers/'

/** Header with the id of the worker process. */
export const workerIdHeader = 'x-texproof-worker'

/** Longest time in which the server answers a request for a job. */
export const MAX_POLL_MS = 25_000

/** Largest bundle, in both directions. */
export const MAX_BUNDLE_BYTES = 256 * 1024 * 1024

/** Most files of one request for files. */
export const MAX_FILES_AT_ONCE = 1_000

/** Status report of a worker. */
export interface WorkerReport {
  /** Unique for each process. */
  readonly id: string
  /** Host name, or as set by the operator. */
  readonly name: string
  /** Builds that it runs at once. */
  readonly slots: number
  /** Builds that it runs now. */
  readonly running: number
  /** `TeX Live 2026`; null if unknown. */
  readonly texRelease: string | null
  /** Packages and classes that its documents can load. */
  readonly packageCount: number
  readonly version: string
}

/** A file of a job. */
export interface JobFile {
  readonly path: string
  /** Id of the content in git, which is its hash. */
  readonly blobId: string
  readonly sizeBytes: number
}

/** A build for a worker. */
export interface BuildJob {
  readonly buildId: number
  readonly attempt: number
  /** The worker renews its lease more often than that. */
  readonly leaseMs: number
  /** Title for log lines: `alice/tides #12 (main.tex)`. */
  readonly title: string
  readonly rootFile: string
  readonly engine: ProjectEngine
  readonly bibliography: BibEngine
  readonly timeoutMs: number
  /** Time of the commit in epoch milliseconds; null if it is unknown. */
  readonly committedAt: number | null
  /** Key for a fair share of threads. */
  readonly requester: string
  /** Jobs of one tenant share caches. */
  readonly tenant: string
  readonly files: readonly JobFile[]
  readonly hasWarmStart: boolean
}

/** Null if the input is not a report. */
export function parseWorkerReport(input: unknown): WorkerReport | null {
  if (typeof input !== 'object' || input === null) return null
  const { id, name, slots, running, texRelease, packageCount, version }: Partial<Record<string, unknown>> = { ...input }
  if (!isWorkerId(id) || !isLine(name) || !isLine(version)) return null
  if (!isCount(slots) || !isCount(running) || !isCount(packageCount)) return null
  return { id, name, slots, running, packageCount, version, texRelease: isLine(texRelease) ? texRelease : null }
}

/** Ids become parts of the names of leases. */
export function isWorkerId(input: unknown): input is string {
  return typeof input === 'string' && /^[0-9a-z-]{8,64}$/.test(input)
}

function isLine(input: unknown): input is string {
  return typeof input === 'string' && /^[\x20-\x7e]{1,100}$/.test(input)
}

function isCount(input: unknown): input is number {
  return typeof input === 'number' && Number.isSafeInteger(input) && input >= 0 && input <= 1_000_000
}
