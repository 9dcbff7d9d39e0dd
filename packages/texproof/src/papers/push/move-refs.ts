/**
 * The one way to move refs: a journal entry first, then git, then what follows (`settle-push.ts`), which removes the
 * entry. Settling that fails is tried again in the background, and by the next start; the refs have moved all the same.
 */
import { setTimeout as delay } from 'node:timers/promises'

import type { Logger } from 'pino'

import type { JournalEntry, NewJournalEntry } from '../../store/repositories/push-journal.ts'
import type { PapersContext } from '../build/queue-documents.ts'
import { settlePush } from './settle-push.ts'
import type { MovedRefs, QueuedPush } from '../types.ts'

export interface RefMoves {
  /** See `Papers`. */
  moveRefs<Outcome>(move: NewJournalEntry, work: () => Promise<Outcome>): Promise<MovedRefs<Outcome>>
  /** Settles what an earlier process left. */
  recover(entries: readonly JournalEntry[]): Promise<void>
  /** Ends the attempts in the background; the next start makes them. */
  close(): Promise<void>
}

/** How long to wait before each further attempt. What still fails then needs an administrator, and a start. */
const RETRY_AFTER_MS = [200, 1_000, 5_000, 30_000, 60_000, 300_000, 600_000, 1_800_000]

/** Opens it on the builds and stores of a host. */
export function openRefMoves(context: PapersContext, { log }: { readonly log: Logger }): RefMoves {
  const stop = new AbortController()
  const retries = new Set<Promise<void>>()

  async function settle(entry: JournalEntry, { isRepeat }: { isRepeat: boolean }): Promise<readonly QueuedPush[]> {
    try {
      return await settlePush(entry, context, { isRepeat })
    } catch (error) {
      log.error({ err: error, repositoryId: entry.repositoryId }, 'settle push; trying again')
      const retry = settleLater(entry).finally(() => retries.delete(retry))
      retries.add(retry)
      return []
    }
  }

  async function settleLater(entry: JournalEntry): Promise<void> {
    for (const afterMs of RETRY_AFTER_MS) {
      // Rejects only when the server ends; the next start settles it.
      const isDue = await delay(afterMs, true, { signal: stop.signal, ref: false }).catch(() => false)
      if (!isDue) return
      try {
        await settlePush(entry, context, { isRepeat: true })
        return
      } catch (error) {
        log.error({ err: error, repositoryId: entry.repositoryId, afterMs }, 'settle push again')
      }
    }
  }

  return {
    async moveRefs(move, work) {
      const entry = await context.store.pushJournal.begin(move)
      // Where the work fails, nobody knows what git has done of it: settling looks.
      const outcome = await work().catch(async (error: unknown) => {
        await settle(entry, { isRepeat: false })
        throw error
      })
      return { outcome, queued: await settle(entry, { isRepeat: false }) }
    },
    async recover(entries) {
      for (const entry of entries) await settle(entry, { isRepeat: true })
    },
    async close() {
      stop.abort()
      await Promise.all(retries)
    },
  }
}
