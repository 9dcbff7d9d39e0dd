import {
  StoreBusy,
  StoreConflict,
  StoreFull,
  StoreReadOnly,
  StoreRefused,
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
  tooManyConnections: '53300',
  lockNotAvailable: '55P03',
  queryCanceled: '57014',
} as const

/** What to do when the server refuses a connection, or the rights that a host requires. */
const remedies: Readonly<Record<string, string>> = {
  // Invalid authorization: usually, no line of pg_hba.conf.
  '28000': 'Check the user, and pg_hba.conf of the server. To connect with TLS, add ?sslmode=verify-full to the URL.',
  '28P01': 'Check the user and the password in TEXPROOF_DATABASE_URL.',
  '3D000': 'Create the database with createdb, or correct its name in TEXPROOF_DATABASE_URL.',
  '42501': 'Make this user the owner of the database: alter database NAME owner to USER',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a host name of the certificate in TEXPROOF_DATABASE_URL.',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
}

/** More than one server uses, and commands beside it: see docs/scaling.md. */
const allowConnections =
  'Allow 25 connections for each server: max_connections of PostgreSQL, and CONNECTION LIMIT of the role and the database.'

/** Certificates that no known authority has signed. */
const unknownIssuer =
  /^(?:UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT)$/

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
    case codes.tooManyConnections:
      return new StoreUnavailable({ ...options, remedy: allowConnections })
    case codes.readOnly:
      return new StoreReadOnly(options)
    case codes.lockNotAvailable:
    case codes.queryCanceled:
      return new StoreBusy(options)
    default:
      return isUnavailable(error) ? new StoreUnavailable(options) : (findRefusal(error) ?? error)
  }
}

/** Null for an error of a statement. */
function findRefusal(error: Error): StoreRefused | null {
  const remedy = findRemedy(error)
  if (remedy === null) return null
  // Node adds one of its own options, which this command does not accept.
  const reason = error.message.replace(/; if the root CA is installed locally.*$/s, '')
  return new StoreRefused(reason, { cause: error, remedy })
}

function findRemedy(error: Error): string | null {
  const code = codeOf(error)
  if (code !== null && unknownIssuer.test(code))
    return 'Name the certificate of its authority: ?sslmode=verify-full&sslrootcert=/etc/ssl/ca.pem'
  if (code !== null) return remedies[code] ?? null
  const hasNoTls = error.message === 'The server does not support SSL connections'
  return hasNoTls ? 'Turn on TLS in PostgreSQL (ssl = on), or remove sslmode from TEXPROOF_DATABASE_URL.' : null
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
