import { findStorageFailure } from '../../base/storage-failure.ts'
import { findStoreBusy, isStoreOut } from '../../store/sqlite/store-errors.ts'
import type { OpenExchange } from '../exchange.ts'
import { HttpRefusal } from '../http-refusal.ts'

/** One line for the report, which git prints in parentheses after the ref. */
export function describeFailure(error: unknown, { log, requestId }: OpenExchange): string {
  if (error instanceof HttpRefusal) return firstLine(error.message)
  log.error({ err: error }, 'push')
  const failure = findStorageFailure(error)
  if (failure !== null) return `the disk of this server is ${failure}: contact the administrator`
  if (isStoreOut(error)) return 'the database is not available: push again'
  const busy = findStoreBusy(error)
  if (busy !== null) return busy.message
  return `internal error, request ${requestId}`
}

export function firstLine(message: string): string {
  return message.split('\n')[0] ?? ''
}
