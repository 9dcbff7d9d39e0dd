/** Removes the locks of git processes that were killed: they would refuse every later push. */
import type { Logger } from 'pino'

import { takeInterrupted } from '../process/spawn-git.ts'
import { findLeftovers } from './stale-locks.ts'

export interface LockSweeperOptions {
  /** Folder with all repositories. */
  readonly root: string
  /** Removes the stale locks of a repository; returns their paths. */
  readonly removeLocks: (gitDir: string) => Promise<readonly string[]>
  readonly log: Logger | undefined
}

export interface LockSweeper {
  /** Removes the locks of a repository as soon as nothing writes to it. */
  sweepSoon(gitDir: string): void
  close(): void
}

/** Starts the sweeper. */
export function startLockSweeper({ root, removeLocks, log }: LockSweeperOptions): LockSweeper {
  const waiting = new Set<string>()
  const timer = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref()

  /** The children of a killed git may still be writing, so a repository waits until it has no leftovers. */
  async function sweep(): Promise<void> {
    try {
      for (const folder of takeInterrupted(root)) waiting.add(folder)
      for (const folder of waiting) {
        const removed = await removeLocks(folder)
        if (removed.length > 0) log?.info({ removed }, 'removed the locks of a git that was killed')
        if ((await findLeftovers(folder)).length === 0) waiting.delete(folder)
      }
    } catch (error) {
      log?.error({ err: error }, 'sweep after a git that was killed')
    }
  }

  return {
    sweepSoon: (gitDir) => void waiting.add(gitDir),
    close: () => clearInterval(timer),
  }
}

/** Three times a minute: a lock is removed within a minute after its holder has died. */
const SWEEP_EVERY_MS = 20_000
