import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const sqliteBusy = 5
/** `SQLITE_READONLY`, `SQLITE_CORRUPT`, `SQLITE_NOTADB`. */
const unusableCodes = [8, 11, 26]

/** Whether a process, this one or another, has the database of a data directory open. */
export function isDatabaseInUse(dataDir: string): boolean {
  return isFileInUse(join(dataDir, 'texproof.db'))
}

/**
 * Whether the file of a database is in use. Only the last user of a database can switch off its write-ahead log, so the test
 * tries that; the next process to open the database switches it on again.
 */
export function isFileInUse(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    return false
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null
    if (code === sqliteBusy) return true
    if (code !== null && unusableCodes.includes(code)) return false
    throw error // an I/O error does not answer the question
  } finally {
    database.close()
  }
}
