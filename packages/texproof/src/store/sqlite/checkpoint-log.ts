/** Runs in a worker thread, because it waits for the disk. */
import { DatabaseSync } from 'node:sqlite'

/** How long `restart` waits for readers and writers in other processes. */
const WAIT_MS = 100

/** Input of a checkpoint. */
export interface Checkpoint {
  /** Path of the database. */
  readonly path: string
  /** passive = as much as is possible beside writers; restart = everything, and begin a new log. */
  readonly mode: 'passive' | 'restart'
}

/** Copies the write-ahead log into the database. `in-use` = `restart` was not possible beside another reader or writer. */
export function checkpointLog({ path, mode }: Checkpoint): 'done' | 'in-use' {
  const database = new DatabaseSync(path, { timeout: WAIT_MS })
  try {
    const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
    if (mode === 'passive') return 'done'
    if (row?.['busy'] !== 0) return 'in-use'
    // The first commit to a new log writes and flushes its header, which the server would wait for in its main thread.
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    database.exec(`PRAGMA user_version = ${version}`)
    return 'done'
  } finally {
    database.close()
  }
}
