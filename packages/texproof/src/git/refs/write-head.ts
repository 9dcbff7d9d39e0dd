/**
 * Writes HEAD of a repository: the branch that a clone checks out.
 *
 * `git symbolic-ref` renames a file that is not synced: after a power failure, HEAD may be empty, and an empty HEAD
 * makes the whole repository unreadable.
 */
import { readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { whenAbsent } from '../../base/absent.ts'
import { syncFolder, writeDurably } from '../../base/durable-file.ts'
import { isBranchName } from '../../domain/git/ref-names.ts'

/** The content of HEAD. `damaged` = absent, empty or not a branch: git refuses such a repository. */
export type Head = { readonly kind: 'branch'; readonly branch: string } | { readonly kind: 'damaged' }

/** Reads HEAD. */
export async function readHead(gitDir: string): Promise<Head> {
  const text = await readFile(path.join(gitDir, 'HEAD'), 'utf8').catch(whenAbsent(''))
  const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(text)?.[1]
  // git writes `.invalid` if refs and HEAD are in the reftable format.
  const isBranch = branch !== undefined && (isBranchName(branch) || branch === '.invalid')
  return isBranch ? { kind: 'branch', branch } : { kind: 'damaged' }
}

/**
 * Points HEAD at a branch, existing or not, and syncs it to disk. Does nothing if HEAD is unchanged.
 *
 * @throws Error when another writer holds the lock for seconds, or the file cannot be written.
 */
export async function writeHead(gitDir: string, branch: string): Promise<void> {
  const head = await readHead(gitDir)
  if (head.kind === 'branch' && head.branch === branch) return
  const lock = path.join(gitDir, 'HEAD.lock')
  await makeLock(lock, `ref: refs/heads/${branch}\n`)
  try {
    await rename(lock, path.join(gitDir, 'HEAD'))
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
  await syncFolder(gitDir)
}

/** The same lock file as git: the process that creates it may rename it. */
async function makeLock(lock: string, text: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    try {
      await writeDurably(lock, text)
      return
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && error.code === 'EEXIST'
      // If the lock was created here, the disk may be full. A lock of another writer stays.
      if (!isHeld) await rm(lock, { force: true })
      if (!isHeld || waitedMs >= LOCK_TIMEOUT_MS) throw new Error(`write ${lock}`, { cause: error })
    }
    await delay(LOOK_EVERY_MS)
  }
}

const LOOK_EVERY_MS = 50
const LOCK_TIMEOUT_MS = 5_000
