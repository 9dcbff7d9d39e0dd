/**
 * The only place that maps errors to HTTP.
 *
 * Input errors keep their message. Errors of a remote service that the caller can fix (400, 413) or retry (503) keep their
 * status; all others become 502, because the request was valid. Internal errors hide their details, which are logged.
 */
import { CompileInputError, PlatexError, RemoteCompileError } from '../../base/errors.ts'
import { RequestFault } from './request-fault.ts'

/** Converts an exception of a compile request to an HTTP fault. */
export function toRequestFault(error: unknown): RequestFault {
  if (error instanceof RequestFault) return error
  if (error instanceof CompileInputError) return inputFault(error)
  if (error instanceof RemoteCompileError) return upstreamFault(error)
  if (error instanceof PlatexError) return setupFault(error)
  return ownFault(error)
}

/** Fields of a request; all other options come from the code that runs the handler. */
const CALLERS_FIELDS = /^(?:source|main|engine|passes|bibliography|files|timeout|outputs|session)\b/

function inputFault(error: CompileInputError): RequestFault {
  if (!CALLERS_FIELDS.test(error.path)) return ownFault(error)
  return new RequestFault(error.message, {
    status: 400,
    code: 'invalid_request',
    details: [{ path: error.path, message: error.message }],
    cause: error,
  })
}

function upstreamFault(error: RemoteCompileError): RequestFault {
  const message = error.message
  const cause = error
  if (error.status === 400) return new RequestFault(message, { status: 400, code: 'invalid_request', cause })
  if (error.status === 413) return new RequestFault(message, { status: 413, code: 'payload_too_large', cause })
  if (error.status === 503) {
    const retryAfterSeconds = Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000))
    const headers = { 'Retry-After': String(retryAfterSeconds) }
    return new RequestFault('The compile service is busy.', { status: 503, code: 'too_many_compiles', headers, cause })
  }
  const sentence = error.status === null ? 'The compile service cannot be reached.' : 'The compile service failed.'
  return new RequestFault(sentence, { status: 502, code: 'upstream_unreachable', cause })
}

function setupFault(error: PlatexError): RequestFault {
  const cause = error
  switch (error.code) {
    case 'NO_ENGINE':
      return new RequestFault('No LaTeX engine is installed here.', { status: 500, code: 'no_engine', cause })
    case 'NO_SERVICE':
      return new RequestFault('No compile service is configured here.', { status: 500, code: 'no_service', cause })
    case 'SANDBOX_UNAVAILABLE':
      return new RequestFault('The sandbox cannot start, so nothing was compiled.', {
        status: 500,
        code: 'sandbox_unavailable',
        cause,
      })
    default:
      return ownFault(error)
  }
}

function ownFault(cause: unknown): RequestFault {
  return new RequestFault('Internal error. See the log of the service.', { status: 500, code: 'internal', cause })
}
