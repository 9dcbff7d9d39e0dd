/** Replaces a file that git locks: `HEAD` or a loose ref. */
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { syncFolder, writeDurably } from '../../base/durable-file.ts'

/**
 * Writes the file through its lock and syncs it to disk: after a power failure, it has the old text or the new one.
 *
 * @throws Error when another writer holds the lock for seconds, or the file cannot be written.
 */
export async function replaceLocked(file: string, text: string): Promise<void> {
  const lock = `${file}.lock`
  await makeLock(lock, text)
  try {
    await rename(lock, file)
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
  await syncFolder(path.dirname(file))
}

/** Creates the lock file that git uses: the process that creates it may rename it. */
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
