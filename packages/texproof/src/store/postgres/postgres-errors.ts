import {
  StoreBusy,
  StoreConflict,
  StoreFull,
  StoreReadOnly,
  StoreUnavailable,
  UniqueViolation,
} from '../sqlite/store-errors.ts'

/** Error codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const codes = {
  uniqueViolation: '23505',
  readOnly: '25006',
  serializationFailure: '40001',
  deadlock: '40P01',
  diskFull: '53100',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
} as const

/** Classes of codes: connection exception, insufficient resources, operator intervention. */
const unavailable = /^(?:08|53|57P)/

/** Errors of sockets, and of the client library, which have no code. */
const lostSocket =
  /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
const lostClient =
  /^(?:Connection terminated|timeout exceeded|Client has encountered|Client was closed|Query read timeout)/

/** Converts an error of the client library to one of the store; other errors are returned as they are. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const options = { cause: error }
  switch (codeOf(error)) {
    case codes.uniqueViolation:
      return new UniqueViolation(violatedColumns(error), options)
    case codes.serializationFailure:
    case codes.deadlock:
      return new StoreConflict(options)
    case codes.diskFull:
      return new StoreFull(options)
    case codes.readOnly:
      return new StoreReadOnly(options)
    case codes.lockNotAvailable:
    case codes.queryCanceled:
      return new StoreBusy(options)
    default:
      return isUnavailable(error) ? new StoreUnavailable(options) : error
  }
}

function isUnavailable(error: Error): boolean {
  const code = codeOf(error)
  if (error instanceof AggregateError) return error.errors.some((part) => part instanceof Error && isUnavailable(part))
  return code === null ? lostClient.test(error.message) : lostSocket.test(code) || unavailable.test(code)
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Columns named in `Key (owner_id, name_key)=(…) already exists.`, which is in the language of the server. */
function violatedColumns(error: Error): readonly string[] {
  const detail = 'detail' in error && typeof error.detail === 'string' ? error.detail : ''
  const list = /\(([^()]*)\)=\(/.exec(detail)?.[1] ?? ''
  return list.split(',').map((column) => column.trim().replaceAll('"', ''))
}
