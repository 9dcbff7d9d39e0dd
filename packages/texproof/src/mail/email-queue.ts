/**
 * The email queue, in the database: a restart loses no email, and a running server sends emails that commands queued.
 * Emails are sealed, because their links give access to accounts and a copy of the database must not.
 */
import { z } from 'zod'

import { sealText, unsealText } from '../base/sealing/seal-text.ts'
import type { QueuedEmails } from '../store/users/queued-emails.ts'
import type { Email } from './email.ts'

const maxWaiting = 1_000
/** Emails that users cause to people of their choice leave room for those that access to accounts depends on. */
const maxWaitingOfUsers = 500
const kindsOfUsers: ReadonlySet<string> = new Set(['collaborator-invitation', 'transfer-offer'])
const dayMs = 86_400_000
/** Longer than a delivery may take: after this time, the sender has crashed. */
const leaseMs = 300_000

const emailForm = z.object({ kind: z.string(), to: z.string(), subject: z.string(), text: z.string() })

/** An email to send now. */
export interface DueEmail {
  readonly id: number
  readonly attemptCount: number
  /** null = its sealing key is missing. */
  readonly email: Email | null
}

/** The emails of one data directory. */
export interface EmailQueue {
  /** Removes expired emails and returns their number. */
  removeExpired(): Promise<number>
  /** False when the queue is full; for emails of users, when it is half full. */
  put(email: Email): Promise<boolean>
  /** Takes the next due email for five minutes; null when none is due. */
  take(): Promise<DueEmail | null>
  /** Removes an email that was sent or dropped. */
  remove(id: number): Promise<void>
  /** Delays an email by at least `waitMs` from now. */
  postpone(id: number, waitMs: number): Promise<void>
  /** Milliseconds until the next email is due; null when the queue is empty. */
  findWaitMs(): Promise<number | null>
}

/** Opens the email queue of a store. */
export function openEmailQueue(emails: QueuedEmails, { dataDir }: { readonly dataDir: string }): EmailQueue {
  // The purpose is part of what is stored.
  const seal = { dataDir, purpose: 'letter' }
  return {
    removeExpired: () => emails.removeExpired(Date.now()),

    async put({ usefulForMs = dayMs, ...email }) {
      const now = Date.now()
      if ((await emails.count()) >= (kindsOfUsers.has(email.kind) ? maxWaitingOfUsers : maxWaiting)) return false
      await emails.add({ sealed: await sealText(JSON.stringify(email), seal), expiresAt: now + usefulForMs })
      return true
    },

    async take() {
      const waiting = await emails.take(Date.now() + leaseMs)
      if (waiting === null) return null
      const { id, attemptCount, sealed } = waiting
      const text = await unsealText(sealed, seal)
      return { id, attemptCount, email: text === null ? null : emailForm.parse(JSON.parse(text)) }
    },

    remove: (id) => emails.remove(id),
    postpone: (id, waitMs) => emails.postpone(id, Date.now() + waitMs),

    async findWaitMs() {
      const dueAt = await emails.findNextDue()
      return dueAt === null ? null : Math.max(0, dueAt - Date.now())
    },
  }
}
