import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5

/** Whether a process, this one or another, has the database of a data directory open. */
export function isDatabaseInUse(dataDir: string): boolean {
  return isFileInUse(join(dataDir, 'texproof.db'))
}

/**
 * The same for the file of a database. Only the last user of a database can switch off its write-ahead log, so the test
 * tries that; the next process to open the database switches it on again.
 */
export function isFileInUse(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true
    return false // not a database: not in use
  } finally {
    database.close()
  }
}
