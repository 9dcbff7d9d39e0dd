/**
 * Ensures that a data directory has one host. The lock is an exclusive transaction on a separate database, so the
 * kernel releases it when the process dies for any reason. The file next to it only describes the holder.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { z } from 'zod'

import { createDatabaseFile } from './create-database-file.ts'

const sqliteBusy = 5
const lockName = 'serve.lock.db'
const holderName = 'serve.json'

/** Names of the files in a data directory that belong to its lock. */
export const lockEntries: readonly string[] = [lockName, `${lockName}-journal`, holderName]

/** `listen` is absent if the holder is a command. */
const holderForm = z.object({ pid: z.number(), url: z.string(), listen: z.string().optional() })

/** The running host of a data directory. */
export type DataDirHolder = z.infer<typeof holderForm>

/** The lock of this process. */
export interface DataDirLock {
  release(): void
}

/**
 * Acquires the lock of a data directory and records the holder; null if another process has it. `isShared` = servers of a
 * PostgreSQL database may share the directory; no other process may have it.
 */
export function lockDataDir(
  dataDir: string,
  holder: DataDirHolder,
  { isShared = false }: { readonly isShared?: boolean } = {},
): DataDirLock | null {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockFile(join(dataDir, lockName), { isShared })
  if (lock === null) return null
  const notePath = join(dataDir, holderName)
  try {
    writeFileSync(notePath, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch (error) {
    lock.release()
    throw error
  }
  return {
    release() {
      if (findDataDirHolder(dataDir)?.pid === holder.pid) rmSync(notePath, { force: true })
      lock.release()
    },
  }
}

/**
 * Locks a file until this process ends; null if another process has locked it. `isCreated: false` = null if it does not exist.
 */
export function lockFile(
  path: string,
  { isShared = false, isCreated = true }: { readonly isShared?: boolean; readonly isCreated?: boolean } = {},
): DataDirLock | null {
  if (!isCreated && !existsSync(path)) return null
  createDatabaseFile(path)
  const database = new DatabaseSync(path)
  try {
    // A transaction that has read something holds a shared lock.
    database.exec(isShared ? 'begin; select * from sqlite_schema' : 'begin exclusive')
  } catch (error) {
    database.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return null
    throw error
  }
  return { release: () => database.close() }
}

/** Whether a server, of this process or another, has locked a data directory. */
export function isServed(dataDir: string): boolean {
  const path = join(dataDir, lockName)
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path)
  try {
    database.exec('begin exclusive')
    return false
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true
    throw error
  } finally {
    database.close()
  }
}

/** The host that last recorded itself in a data directory; null if there is none. */
export function findDataDirHolder(dataDir: string): DataDirHolder | null {
  try {
    return holderForm.parse(JSON.parse(readFileSync(join(dataDir, holderName), 'utf8')))
  } catch {
    return null // absent or incomplete: the holder is unknown
  }
}
