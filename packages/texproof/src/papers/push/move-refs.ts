/**
 * The only way to move refs: writes a journal entry, runs git, then runs `post-receive.ts`, which removes the entry. If
 * post-receive fails, it is retried in the background and at the next start; the refs have moved in any case.
 */
import { setTimeout as delay } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { JournalEntry } from '../../store/repositories/push-journal.ts'
import type { PapersContext } from '../request/queue-documents.ts'
import { endFormerBranches } from './end-former-branches.ts'
import { runPostReceive } from './post-receive.ts'
import type { Papers, QueuedPush } from '../types.ts'

export interface RefMoves {
  /** See `Papers`. */
  moveRefs: Papers['moveRefs']
  /** Runs post-receive for pushes that waited in the trash with their repository, by default of all that were restored. */
  resume(repositoryId?: number): Promise<void>
  /** Runs post-receive for the entries of an earlier process. */
  recover(entries: readonly JournalEntry[]): Promise<void>
  /** Ends the retries in the background; the next start continues them. */
  close(): Promise<void>
}

/** Options of one run of post-receive. */
interface Attempt {
  /** See `runPostReceive`. */
  readonly isRepeat: boolean
  /** An earlier process moved the refs, and a power failure may have cut it off: its refs are reverted first. */
  readonly mayBeTorn?: boolean
}

/** How long to wait before each further attempt; the last pause repeats. */
const RETRY_AFTER_MS = [200, 1_000, 5_000, 30_000, 60_000, 300_000, 600_000, 1_800_000]

/** Creates it for the builds and stores of a host. */
export function openRefMoves(context: PapersContext, { log }: { readonly log: Logger }): RefMoves {
  const stop = new AbortController()
  const retries = new Set<Promise<void>>()
  /** Journal entries of repositories in the trash. */
  const waiting = new Map<number, JournalEntry>()

  async function attempt(entry: JournalEntry, { isRepeat, mayBeTorn }: Attempt): Promise<readonly QueuedPush[]> {
    // Post-receive would treat a ref that names a missing commit as moved.
    if (mayBeTorn === true) {
      const revert = (): Promise<void> => context.git.revertTornRefs(entry.repositoryId, entry.updates)
      await workLocked(entry, revert, { locksLater: false })
    }
    const queued = await runPostReceive(entry, context, { isRepeat, signal: stop.signal, log })
    if (queued === null) waiting.set(entry.id, entry)
    return queued ?? []
  }

  async function run(entry: JournalEntry, how: Attempt): Promise<readonly QueuedPush[]> {
    try {
      return await attempt(entry, how)
    } catch (error) {
      if (stop.signal.aborted) return []
      log.error({ err: error, repositoryId: entry.repositoryId }, 'post-receive failed; retrying')
      const retry = retryLater(entry, { ...how, isRepeat: true }).finally(() => retries.delete(retry))
      retries.add(retry)
      return []
    }
  }

  async function retryLater(entry: JournalEntry, how: Attempt): Promise<void> {
    for (let count = 0; ; count += 1) {
      const afterMs = RETRY_AFTER_MS[Math.min(count, RETRY_AFTER_MS.length - 1)] ?? 0
      // Rejects only on shutdown; the next start retries.
      const isDue = await delay(afterMs, true, { signal: stop.signal, ref: false }).catch(() => false)
      if (!isDue) return
      try {
        await attempt(entry, how)
        return
      } catch (error) {
        if (stop.signal.aborted) return
        log.error({ err: error, repositoryId: entry.repositoryId, afterMs }, 'post-receive failed again')
      }
    }
  }

  async function workLocked<Outcome>(
    entry: JournalEntry,
    work: (lockRefs: () => Promise<void>) => Promise<Outcome>,
    { locksLater }: { readonly locksLater: boolean },
  ): Promise<Outcome> {
    let release: (() => Promise<void>) | null = null
    let isOver = false
    const lockRefs = async (): Promise<void> => {
      if (release !== null) return
      release = await context.store.repositoryLocks.acquire(entry)
      if (!isOver) return
      // The client has disconnected and git was stopped while it waited.
      await release()
      throw new Error('the push ended before its lock was free')
    }
    try {
      if (!locksLater) await lockRefs()
      return await work(lockRefs)
    } finally {
      isOver = true
      // The end of post-receive releases it as well.
      await (release as (() => Promise<void>) | null)?.().catch((error: unknown) => {
        log.error({ err: error, repositoryId: entry.repositoryId }, 'release the lock of a repository')
      })
    }
  }

  return {
    async moveRefs(move, work, { locksLater = false } = {}) {
      await endFormerBranches(move, context)
      const entry = await context.store.pushJournal.begin(move)
      // If the work fails, it is unknown which refs git has moved: post-receive reads them.
      const outcome = await workLocked(entry, work, { locksLater }).catch(async (error: unknown) => {
        await run(entry, { isRepeat: false })
        throw error
      })
      return { outcome, queued: await run(entry, { isRepeat: false }) }
    },
    async resume(repositoryId) {
      if (waiting.size === 0) return
      try {
        // A permanently deleted repository has no entries.
        const open = new Set((await context.store.pushJournal.list()).map(({ id }) => id))
        const entries = [...waiting.values()].filter(
          (entry) => (repositoryId ?? entry.repositoryId) === entry.repositoryId,
        )
        for (const entry of entries) {
          waiting.delete(entry.id)
          if (open.has(entry.id)) await run(entry, { isRepeat: true })
        }
      } catch (error) {
        log.error({ err: error }, 'look for pushes to repositories in the trash')
      }
    },
    async recover(entries) {
      for (const entry of entries) {
        if (stop.signal.aborted) return
        await run(entry, { isRepeat: true, mayBeTorn: true })
      }
    },
    async close() {
      stop.abort()
      await Promise.all(retries)
    },
  }
}
