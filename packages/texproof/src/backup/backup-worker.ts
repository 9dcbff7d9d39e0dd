/** Creates a backup in a worker thread: hashing and copying takes minutes, during which the host serves requests. */
import { parentPort, workerData } from 'node:worker_threads'

import { openStore } from '../store/store.ts'
import type { BackupJob, BackupOutcome } from './back-up-apart.ts'
import { BackupError } from './backup-error.ts'
import { makeBackup } from './make-backup.ts'

const stop = new AbortController()
// Any message from the host means stop.
parentPort?.once('message', () => stop.abort())
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
parentPort?.postMessage(await run(workerData as BackupJob))
parentPort?.close()

async function run({ dataDir, databaseUrl, bucket, target, isIncremental }: BackupJob): Promise<BackupOutcome> {
  const store = await openStore({ dataDir, databaseUrl })
  try {
    const source = { dataDir, store, bucket }
    return {
      kind: 'made',
      made: await makeBackup(source, { target, pdfs: 'of-tags', isIncremental, signal: stop.signal }),
    }
  } catch (error) {
    if (stop.signal.aborted) return { kind: 'stopped' }
    const remedy = error instanceof BackupError ? error.remedy : null
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', reason: remedy === null ? message : `${message}. ${remedy}` }
  } finally {
    await store.close()
  }
}
