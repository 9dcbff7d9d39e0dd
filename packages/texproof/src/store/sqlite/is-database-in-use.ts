import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5

/**
 * Whether a process, this one or another, has the database of a data directory open: a host that runs on it, or a
 * command. A write-ahead log is given up by its last user only, so giving it up is the test; the next process
 * that opens the database begins another one.
 */
export function isDatabaseInUse(dataDir: string): boolean {
  const path = join(dataDir, 'texproof.db')
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true
    return false // no database at all: not in use
  } finally {
    database.close()
  }
}
