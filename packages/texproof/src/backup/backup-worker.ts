/** Creates a backup in a worker thread: hashing and copying takes minutes, during which the host serves requests. */
import { parentPort, workerData } from 'node:worker_threads'

import { SchemaInUse } from '../store/sqlite/migrate.ts'
import { openStore } from '../store/store.ts'
import type { Store } from '../store/store.ts'
import type { BackupJob, BackupOutcome } from './back-up-in-worker.ts'
import { BackupError } from './backup-error.ts'
import { makeBackup } from './make-backup.ts'

const stop = new AbortController()
// Any message from the host means stop.
parentPort?.once('message', () => stop.abort())
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
parentPort?.postMessage(await run(workerData as BackupJob))
parentPort?.close()

async function run({ dataDir, databaseUrl, bucket, target, isIncremental }: BackupJob): Promise<BackupOutcome> {
  let store: Store | null = null
  try {
    // Its server may have started before an update of the program, and cannot use the schema of the update.
    store = await openStore({ dataDir, databaseUrl, migratesServed: false })
    const source = { dataDir, store, bucket }
    return {
      kind: 'made',
      made: await makeBackup(source, { target, pdfs: 'of-tags', isIncremental, signal: stop.signal }),
    }
  } catch (error) {
    if (stop.signal.aborted) return { kind: 'stopped' }
    if (error instanceof SchemaInUse)
      return {
        kind: 'failed',
        reason: 'Texproof was updated while this server was running. Restart the server: backups fail until then.',
      }
    const remedy = error instanceof BackupError ? error.remedy : null
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', reason: remedy === null ? message : `${message}. ${remedy}` }
  } finally {
    await store?.close()
  }
}
