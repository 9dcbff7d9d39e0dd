import type { Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** An email that waits for the mail server. */
export interface QueuedEmail {
  readonly id: number
  /** Address and text, sealed: the text may contain links that sign a user in. */
  readonly sealed: string
  /** Attempts to send it, including the current one. */
  readonly attemptCount: number
}

/** The email queue. Times are epoch milliseconds. */
export interface QueuedEmails {
  add(email: Pick<QueuedEmail, 'sealed'> & { readonly expiresAt: number }): Promise<void>
  /** The first email that is due, reserved until `until`: of several concurrent processes, one gets it. */
  take(until: number): Promise<QueuedEmail | null>
  postpone(id: number, dueAt: number): Promise<void>
  remove(id: number): Promise<void>
  /** When the next unexpired email is due; null if none waits. */
  findNextDue(): Promise<number | null>
  count(): Promise<number>
  /** Number of emails that the mail server refused at least once. */
  countRefused(): Promise<number>
  /** Returns how many were removed: they were never sent. */
  removeExpired(now: number): Promise<number>
}

/** The email queue of one database. */
export function createQueuedEmails(db: Kysely<Schema>): QueuedEmails {
  return {
    async add({ sealed, expiresAt }) {
      const row = { sealed, attempt_count: 0, due_at: Date.now(), expires_at: expiresAt }
      await db.insertInto('letter').values(row).execute()
    },

    async take(until) {
      const now = Date.now()
      const first = db
        .selectFrom('letter')
        .select('id')
        .where('due_at', '<=', now)
        .where('expires_at', '>', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
      const row = await db
        .updateTable('letter')
        .set((set) => ({ due_at: until, attempt_count: set('attempt_count', '+', 1) }))
        .where('id', '=', first)
        .returning(['id', 'sealed', 'attempt_count'])
        .executeTakeFirst()
      return row === undefined ? null : { id: row.id, sealed: row.sealed, attemptCount: row.attempt_count }
    },

    async postpone(id, dueAt) {
      await db.updateTable('letter').set({ due_at: dueAt }).where('id', '=', id).execute()
    },

    async remove(id) {
      await db.deleteFrom('letter').where('id', '=', id).execute()
    },

    async findNextDue() {
      const row = await db
        .selectFrom('letter')
        .select('due_at')
        .where('expires_at', '>', Date.now())
        .orderBy('due_at')
        .limit(1)
        .executeTakeFirst()
      return row?.due_at ?? null
    },

    async count() {
      const row = await db
        .selectFrom('letter')
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async countRefused() {
      const row = await db
        .selectFrom('letter')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('attempt_count', '>', 0)
        .where('expires_at', '>', Date.now())
        .executeTakeFirstOrThrow()
      return Number(row.count)
    },

    async removeExpired(now) {
      const { numDeletedRows } = await db.deleteFrom('letter').where('expires_at', '<=', now).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
