import { setTimeout as delay } from 'node:timers/promises'

import type { Logger } from 'pino'

import { createFaultLog } from '../../base/log/fault-log.ts'
import { findStorageFailure } from '../../base/storage-failure.ts'
import type { Build, BuildOutcome } from '../../domain/build.ts'
import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { Store } from '../../store/store.ts'

/** Longest pause between attempts to record an outcome: the database may be full or busy for a while. */
const MAX_PAUSE_MS = 5_000

/**
 * Records an outcome under the lease of its run, and retries until the database accepts it: a row without an outcome would show
 * a running build forever. Rejects with the reason of the signal.
 */
export async function recordOutcome(
  build: Build,
  outcome: BuildOutcome,
  options: {
    readonly store: Pick<Store, 'builds'>
    readonly log: Logger
    readonly lease: BuildLease
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { store, log, lease, signal } = options
  const place = { repositoryId: build.repositoryId, build: build.number }
  const faults = createFaultLog(log, 'record build; retrying', place)
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      const isRecorded = await store.builds.finish(build.id, outcome, lease)
      if (!isRecorded) log.warn(place, 'the build was cancelled or taken over; its result is dropped')
      return
    } catch (error) {
      faults.fail(error)
    }
    await delay(pauseMs, null, { signal })
  }
}

/** Faults with a remedy have a code and a message. All others are internal errors and go only to the log. */
export function describeFault(error: unknown): string {
  if (findStorageFailure(error) === 'full')
    return 'The server disk is full. Contact the administrator, then build again.'
  const hasCode = error instanceof Error && 'code' in error && error.name === 'PlatexError'
  return hasCode ? error.message : 'Internal error: the build could not run. See the server log.'
}
