import type { IncomingMessage } from 'node:http'

/** A name or an address, and a port. An empty value is valid as well. Source: RFC 9112, section 3.2. */
const hostValue = /^(?:(?:[\w.~-]+|\[[\d.:a-f]+\])(?::(\d{1,5}))?)?$/i

/**
 * Whether version and `Host` conform to HTTP/1. The parser also accepts HTTP/0.9 and 2.0 in a request line, and uses
 * the first of several `Host` headers, where a proxy may have routed by the last.
 */
export function hasValidHead({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hostCount = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (!isHost(rawHeaders[index + 1] ?? '')) return false
    hostCount += 1
  }
  return (httpVersion === '1.1' && hostCount === 1) || (httpVersion === '1.0' && hostCount <= 1)
}

function isHost(value: string): boolean {
  const parts = hostValue.exec(value)
  if (parts === null || Number(parts[1] ?? 0) > 65_535) return false
  return !value.startsWith('[') || URL.canParse(`http://${value}`)
}
