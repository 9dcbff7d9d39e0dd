/**
 * One host a data directory. The lock is an exclusive transaction on a database of its own, so the kernel gives it up
 * when the process dies, however it dies; what is written beside it only says who holds it.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { z } from 'zod'

const sqliteBusy = 5
const lockName = 'serve.lock.db'
const holderName = 'serve.json'

const holderForm = z.object({ pid: z.number(), url: z.string() })

/** The running host of a data directory. */
export type DataDirHolder = z.infer<typeof holderForm>

/** The lock of this process. */
export interface DataDirLock {
  release(): void
}

/** Takes the lock of a data directory and notes who holds it; null when another process has it. */
export function lockDataDir(dataDir: string, holder: DataDirHolder): DataDirLock | null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  closeSync(openSync(join(dataDir, lockName), 'a', 0o600))
  const database = new DatabaseSync(join(dataDir, lockName))
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw error
  }
  const notePath = join(dataDir, holderName)
  writeFileSync(notePath, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  return {
    release() {
      rmSync(notePath, { force: true })
      database.close()
    },
  }
}

/** The host that last recorded itself in a data directory; null when there is none. */
export function findDataDirHolder(dataDir: string): DataDirHolder | null {
  try {
    return holderForm.parse(JSON.parse(readFileSync(join(dataDir, holderName), 'utf8')))
  } catch {
    return null // absent or half-written: then the holder is unknown
  }
}
