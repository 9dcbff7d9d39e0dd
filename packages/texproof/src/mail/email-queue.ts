/**
 * Letters on their way, in the database: a restart loses none, and what the command line writes is sent by the host
 * that runs. They are sealed, since the links in them open accounts, and a copy of the database must not.
 */
import { z } from 'zod'

import { sealText, unsealText } from '../base/seal-text.ts'
import type { Letters } from '../store/users/letters.ts'
import type { Letter } from './email.ts'

const maxWaiting = 1_000
const dayMs = 86_400_000
/** Longer than a mail server may take: then whoever took the letter is gone. */
const leaseMs = 300_000

const letterForm = z.object({ kind: z.string(), to: z.string(), subject: z.string(), text: z.string() })

/** A letter to be handed over now. */
export interface DueLetter {
  readonly id: number
  readonly attemptCount: number
  /** null = sealed with a key that is gone. */
  readonly letter: Letter | null
}

/** The letters of one data directory. */
export interface Outbox {
  /** Removes what is of no use any more; says how many there were. */
  removeExpired(): Promise<number>
  /** False, and nothing kept, when too many wait. */
  put(letter: Letter): Promise<boolean>
  /** The next letter, for five minutes nobody else's; null when none is due. */
  take(): Promise<DueLetter | null>
  /** It is handed over, or never will be. */
  remove(id: number): Promise<void>
  /** Not before `waitMs` from now. */
  postpone(id: number, waitMs: number): Promise<void>
  /** Milliseconds until the next one is due; null when none waits. */
  findWaitMs(): Promise<number | null>
}

/** Opens the letters that wait in a store. */
export function openOutbox(letters: Letters, { dataDir }: { readonly dataDir: string }): Outbox {
  const seal = { dataDir, purpose: 'letter' }
  return {
    removeExpired: () => letters.removeExpired(Date.now()),

    async put({ usefulForMs = dayMs, ...letter }) {
      const now = Date.now()
      if ((await letters.count()) >= maxWaiting) return false
      await letters.add({ sealed: await sealText(JSON.stringify(letter), seal), expiresAt: now + usefulForMs })
      return true
    },

    async take() {
      const waiting = await letters.take(Date.now() + leaseMs)
      if (waiting === null) return null
      const { id, attemptCount, sealed } = waiting
      const text = await unsealText(sealed, seal)
      return { id, attemptCount, letter: text === null ? null : letterForm.parse(JSON.parse(text)) }
    },

    remove: (id) => letters.remove(id),
    postpone: (id, waitMs) => letters.postpone(id, Date.now() + waitMs),

    async findWaitMs() {
      const dueAt = await letters.findNextDue()
      return dueAt === null ? null : Math.max(0, dueAt - Date.now())
    },
  }
}
