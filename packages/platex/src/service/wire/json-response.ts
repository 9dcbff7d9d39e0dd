import type { RequestFault } from './request-fault.ts'

/** A JSON response that must not be cached; the body may already be compressed if `headers` say so. */
export function jsonResponse(
  body: string | Uint8Array<ArrayBuffer>,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  })
}

/** `{"error": sentence, "code": slug, "details"?: […]}` with the status of the fault. */
export function presentFault(fault: RequestFault): Response {
  const body = {
    error: fault.message,
    code: fault.code,
    ...(fault.details === null ? {} : { details: fault.details }),
  }
  return jsonResponse(JSON.stringify(body), fault.status, fault.headers)
}
