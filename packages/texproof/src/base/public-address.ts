import { lookup as lookUpName } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Networks that are not part of the public internet. Source: IANA special-purpose address registries. */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(network, prefix, 'ipv4')
// Addresses that contain an IPv4 address, and documentation addresses.
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is part of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default:
      return false
  }
}

/** How names are resolved: `lookup` of `node:dns/promises`. */
export type LookUpName = (
  hostname: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>

/**
 * Names that every client reads alike. curl, which git uses, would take `+` or `*` in a list of addresses for an option
 * and drop the final dot in some versions: it would then resolve the name again.
 */
const HOST_NAME = /^[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_-])?$/i

/**
 * The address to connect to for a host name, resolved once: a client that uses it cannot be sent elsewhere by a second
 * answer. Null if the name is invalid, has no address, or none that is allowed.
 */
export async function findAllowedAddress(
  hostname: string,
  { allowsPrivate, lookup = lookUpName }: { readonly allowsPrivate: boolean; readonly lookup?: LookUpName | undefined },
): Promise<string | null> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const isLiteral = isIP(literal) !== 0
  if (!isLiteral && !HOST_NAME.test(literal)) return null
  // No address if the name does not exist.
  const found = isLiteral ? [{ address: literal }] : await lookup(literal, { all: true }).catch(() => [])
  return found.find(({ address }) => allowsPrivate || isPublicAddress(address))?.address ?? null
}
