import { setTimeout as sleep } from 'node:timers/promises'

import type { Kysely, Transaction } from 'kysely'

import type { Schema } from './schema.ts'
import { StoreConflict } from './sqlite/store-errors.ts'

const MAX_ATTEMPTS = 8
const firstPauseMs = 5

/**
 * Runs a transaction, and runs it again if it collides with another one, so `run` must be repeatable, and quick: SQLite has
 * no other writer meanwhile. Rows that are read first and changed later are locked with `forUpdate()`, which SQLite ignores
 * for the same reason.
 *
 * @throws StoreConflict after the last attempt.
 */
export async function transact<Result>(
  db: Kysely<Schema>,
  run: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(run)
    } catch (error) {
      if (!(error instanceof StoreConflict) || attempt === MAX_ATTEMPTS) throw error
    }
    await pauseAfter(attempt)
  }
}

/** Pauses longer after each attempt. The random part keeps two opponents from colliding again. */
export async function pauseAfter(attempt: number): Promise<void> {
  await sleep(firstPauseMs * 2 ** attempt * (0.5 + Math.random()))
}
