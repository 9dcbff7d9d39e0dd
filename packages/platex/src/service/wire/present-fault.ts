import { jsonResponse } from './json-response.ts'
import type { RequestFault } from './request-fault.ts'

/** `{"error": sentence, "code": slug, "details"?: […]}` under the fault's status. */
export function presentFault(fault: RequestFault): Response {
  const body = {
    error: fault.message,
    code: fault.code,
    ...(fault.details === null ? {} : { details: fault.details }),
  }
  return jsonResponse(JSON.stringify(body), fault.status, fault.headers)
}
