/**
 * Throttles of the host. On PostgreSQL, the servers of a database count together, or each of them would allow the full
 * number of guesses; SQLite has one server, which counts in memory and writes nothing for a wrong password.
 */
import type { Kysely } from 'kysely'

import { hashSecretText } from '../../base/secret-text.ts'
import { addFailure, createThrottle, failuresKeptMs, type Throttle, type ThrottleRule } from '../../base/throttle.ts'
import type { Schema } from '../schema.ts'
import { transact } from '../transact.ts'

/** Opens throttles and removes expired failures. */
export interface Throttles {
  /** The throttle of a name, always with the same rule. */
  open(name: string, rule: ThrottleRule): Throttle
  /** Removes failures that no longer count. */
  removeExpired(now: number): Promise<void>
}

/** Creates the throttles of a database. `isShared` = several servers may use it. */
export function createThrottles(db: Kysely<Schema>, { isShared }: { readonly isShared: boolean }): Throttles {
  const inMemory = new Map<string, Throttle>()
  return {
    open(name, rule) {
      if (isShared) return openSharedThrottle(db, name, rule)
      const throttle = inMemory.get(name) ?? createThrottle(rule)
      inMemory.set(name, throttle)
      return throttle
    },

    async removeExpired(now) {
      await db
        .deleteFrom('throttle')
        .where('changed_at', '<=', now - failuresKeptMs)
        .where('blocked_until', '<=', now - failuresKeptMs)
        .execute()
    },
  }
}

function openSharedThrottle(db: Kysely<Schema>, name: string, rule: ThrottleRule): Throttle {
  // Only a hash: users type passwords into the field of the username.
  const hashOf = (key: string): string => hashSecretText(`${name} ${key}`)
  return {
    async attempt(key) {
      const keyHash = hashOf(key)
      return transact(db, async (transaction) => {
        const now = Date.now()
        // Creates the row, so that concurrent first attempts wait for its lock, too.
        await transaction
          .insertInto('throttle')
          .values({ key_hash: keyHash, failure_count: 0, blocked_until: 0, changed_at: now })
          .onConflict((conflict) => conflict.column('key_hash').doNothing())
          .execute()
        const row = await transaction
          .selectFrom('throttle')
          .selectAll()
          .where('key_hash', '=', keyHash)
          .forUpdate()
          .executeTakeFirst()
        if (row !== undefined && row.blocked_until > now) return row.blocked_until - now
        const isKnown = row !== undefined && Math.max(row.changed_at, row.blocked_until) > now - failuresKeptMs
        const known = isKnown
          ? { count: row.failure_count, blockedUntil: row.blocked_until, forgottenUntil: row.changed_at }
          : null
        const { count, blockedUntil, forgottenUntil } = addFailure(known, rule, now)
        const failures = {
          failure_count: count,
          blocked_until: blockedUntil,
          changed_at: Math.ceil(forgottenUntil),
        }
        // Not an update: a success may have removed the row before it was locked.
        await transaction
          .insertInto('throttle')
          .values({ key_hash: keyHash, ...failures })
          .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(failures))
          .execute()
        return 0
      })
    },

    async forgive(key) {
      await db
        .updateTable('throttle')
        .set(({ eb }) => ({ failure_count: eb('failure_count', '-', 1), blocked_until: 0 }))
        .where('key_hash', '=', hashOf(key))
        .where('failure_count', '>', 0)
        .execute()
    },

    async forget(key) {
      await db.deleteFrom('throttle').where('key_hash', '=', hashOf(key)).execute()
    },
  }
}
