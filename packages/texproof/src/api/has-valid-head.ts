import type { IncomingMessage } from 'node:http'

/**
 * Whether version and `Host` conform to HTTP/1. The parser also accepts HTTP/0.9 and 2.0 in a request line, and uses
 * the first of several `Host` headers, where a proxy may have routed by the last.
 */
export function hasValidHead({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hostCount = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hostCount += 1
  }
  return (httpVersion === '1.1' && hostCount === 1) || (httpVersion === '1.0' && hostCount <= 1)
}
