import type { Logger } from 'pino'

/** An error that continues is logged this often. */
const REPEAT_AFTER_MS = 10 * 60_000

/** Logs why work fails that is repeated every few seconds: a long outage must not fill the log. */
export interface FaultLog {
  /** Logs the error, unless the work has failed for the same reason before. */
  fail(error: unknown): void
  /** Logs that the work succeeds again, if it had failed. */
  succeed(): void
}

/** Creates the log of one kind of work, which `message` names; each line has `fields`. */
export function createFaultLog(
  log: Pick<Logger, 'error' | 'info'>,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): FaultLog {
  let count = 0
  let reason: string | null = null
  let loggedAt = 0
  return {
    fail(error) {
      const newReason = error instanceof Error ? error.message : String(error)
      count += 1
      if (newReason === reason && performance.now() - loggedAt < REPEAT_AFTER_MS) return
      reason = newReason
      loggedAt = performance.now()
      log.error({ ...fields, err: error, failures: count }, message)
    },
    succeed() {
      if (count === 0) return
      log.info({ ...fields, failures: count }, `${message}: succeeds again`)
      count = 0
      reason = null
    },
  }
}
