import { isIP } from 'node:net'

/** An address with the number of leading bits that belong to the network. */
export interface Network {
  readonly address: string
  readonly bits: number
  readonly family: 'ipv4' | 'ipv6'
}

const familyBits = { ipv4: 32, ipv6: 128 } as const

/** Addresses and networks, separated by commas: `10.0.0.5, 10.1.0.0/16, fd00::/8`. `none` is an empty list. */
export function parseNetworks(text: string): readonly Network[] | null {
  if (text.trim() === 'none') return []
  const networks = text.split(',').map((part) => parseNetwork(part.trim()))
  return networks.every((network) => network !== null) ? networks : null
}

/** Parses one network. Refuses the network of all addresses: any client could then choose its address. */
function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  if (version === 0) return null
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const bits = length === undefined ? familyBits[family] : Number(length)
  return bits === 0 || bits > familyBits[family] ? null : { address, bits, family }
}
