/** The headers of every response; names and values alternate. Source: REST specification §4 (Response headers). */
export function serviceHeaders(requestId: string): readonly string[] {
  return [
    'Content-Type',
    'application/json; charset=utf-8',
    'X-Service-Media-Type',
    'service.v3; format=json',
    'X-Service-Request-Id',
    requestId,
  ]
}
