import type { IncomingMessage } from 'node:http'

/**
 * Whether version and `Host` are what HTTP/1 allows. The parser also accepts HTTP/0.9 and 2.0 in a request line, and
 * takes the first of several `Host` headers, where a proxy may have routed by the last.
 */
export function hasValidHead({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  const hostCount = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length
  return (httpVersion === '1.1' && hostCount === 1) || (httpVersion === '1.0' && hostCount <= 1)
}
