import { accessSync, closeSync, constants, openSync } from 'node:fs'

/**
 * Creates the file of a database with access for its owner only, unless it exists.
 *
 * An existing file is not opened: when a process closes any descriptor of a file, the kernel drops all locks that the
 * process has on it, including the locks of its open databases. Another program could then delete the write-ahead log of a
 * running server.
 *
 * @throws when the file cannot be created or is not writable: SQLite would open it for reading.
 */
export function createDatabaseFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    accessSync(path, constants.W_OK)
  }
}
