import { presentFault } from './wire/json-response.ts'
import { RequestFault } from './wire/request-fault.ts'
import { toRequestFault } from './wire/to-request-fault.ts'
import { endAfterBody } from './body/end-after-body.ts'
import type { CompileService } from './compile-service.ts'

/** The context of one request. */
export interface ServiceRequest {
  readonly request: Request
  readonly service: CompileService
  /** `X-Request-Id` of the client if it is a plain word, otherwise a new one. */
  readonly requestId: string
}

/** Runs one route: assigns the request id, turns errors into responses, and logs. */
export async function answer(
  request: Request,
  service: CompileService,
  route: (serviceRequest: ServiceRequest) => Promise<Response> | Response,
): Promise<Response> {
  const startedAt = performance.now()
  const requestId = readRequestId(request.headers)
  const response = await answerOrFault({ request, service, requestId }, route)
  response.headers.set('X-Request-Id', requestId)
  service.log({
    kind: 'answered',
    requestId,
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    durationMs: performance.now() - startedAt,
  })
  return response
}

async function answerOrFault(
  serviceRequest: ServiceRequest,
  route: (serviceRequest: ServiceRequest) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await route(serviceRequest)
  } catch (error) {
    return endAfterBody(presentFault(reportFault(error, serviceRequest)), serviceRequest.request)
  }
}

/** Converts an exception to a fault, counts and logs it. */
export function reportFault(error: unknown, { request, service, requestId }: ServiceRequest): RequestFault {
  const fault = request.signal.aborted ? callerGone(error) : toRequestFault(error)
  service.metrics.countFault(fault.code)
  if (fault.status === 500) service.log({ kind: 'failed', requestId, error })
  return fault
}

/** The client has disconnected: the status is for the log, as in common proxies. */
function callerGone(cause: unknown): RequestFault {
  return new RequestFault('The client disconnected.', { status: 499, code: 'aborted', cause })
}

function readRequestId(headers: Headers): string {
  const given = headers.get('x-request-id')
  return given !== null && /^[\w.:+/=-]{1,128}$/.test(given) ? given : crypto.randomUUID()
}
