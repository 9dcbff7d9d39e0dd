import { isIPv6 } from 'node:net'

const groupCount = 8
const networkGroups = 4

/**
 * The key by which throttles count an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, because
 * one customer of a provider has all addresses with that prefix.
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

/** The groups of an IPv6 address in the shortest form: `0DB8` is `db8`. */
function groupsOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16).toString(16))
}
