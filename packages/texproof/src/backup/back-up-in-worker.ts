import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { BucketAddress } from '../config/parse-bucket-url.ts'
import type { MadeBackup } from './make-backup.ts'

/** The input of the worker thread. */
export interface BackupJob {
  readonly dataDir: string
  /** null = SQLite. */
  readonly databaseUrl: string | null
  /** null = all PDFs are on disk. */
  readonly bucket: BucketAddress | null
  /** The file to create. */
  readonly target: string
  readonly isIncremental: boolean
}

/** The outcome. */
export type BackupOutcome =
  | { readonly kind: 'made'; readonly made: MadeBackup }
  /** `reason` is a message for the user. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' }

/** Creates a backup in a worker thread. When the signal aborts, it removes its files and stops. */
export async function backUpInWorker(job: BackupJob, signal: AbortSignal): Promise<BackupOutcome> {
  if (signal.aborted) return { kind: 'stopped' }
  const worker = new Worker(new URL('backup-worker.ts', import.meta.url), { workerData: job })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
  const stop = (): void => worker.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  const ended = once(worker, 'exit')
  try {
    const [outcome] = (await once(worker, 'message')) as [BackupOutcome]
    return outcome
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    signal.removeEventListener('abort', stop)
    await ended.catch(() => {}) // the reason is logged above
  }
}
