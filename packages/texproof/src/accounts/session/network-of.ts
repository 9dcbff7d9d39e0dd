import { isIPv6 } from 'node:net'

const groupCount = 8
const networkGroups = 4

/**
 * What an address is counted by when guessing is slowed: itself, or of an IPv6 address its first 64 bits, since one
 * customer of a provider has all that follow.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = address.split('::')
  const start = groupsOf(head)
  const end = groupsOf(tail ?? '')
  const zeros = Array.from({ length: groupCount - start.length - end.length }, () => '0')
  return [...start, ...zeros, ...end].slice(0, networkGroups).join(':')
}

/** Each as short as it can be written: `0DB8` is `db8`. */
function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16))
}
