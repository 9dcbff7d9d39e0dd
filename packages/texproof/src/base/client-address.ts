import { BlockList, isIP, isIPv6 } from 'node:net'

import type { Network } from '../config/parse-networks.ts'
import { isLoopback } from '../config/read-config.ts'

/** The client address of a request: `remoteAddress` of its connection, or what trusted proxies add to `X-Forwarded-For`. */
export type FindClientAddress = (remoteAddress: string | undefined, forwardedFor: string | undefined) => string

/** Whether a trusted proxy has the address. Proxies of this machine are always trusted. */
export function createProxyCheck(networks: readonly Network[]): (address: string) => boolean {
  const trusted = new BlockList()
  for (const { address, bits, family } of networks) trusted.addSubnet(address, bits, family)
  return (address) =>
    isLoopback(address) || (isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
}

export function trustProxies(networks: readonly Network[]): FindClientAddress {
  const isTrusted = createProxyCheck(networks)
  return (remoteAddress, forwardedFor) => {
    let address = remoteAddress?.replace(/^::ffff:|%.*$/g, '') ?? 'unknown'
    // Every proxy appends the address that called it, so the first one from the right that is not a proxy is the client.
    // What stands before it was sent by the client.
    const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? []
    while (isTrusted(address)) {
      const caller = withoutPort(hops.pop() ?? '').replace(/^::ffff:/i, '')
      if (isIP(caller) === 0) break
      address = caller
    }
    return address
  }
}

/** Some proxies append the port: `192.0.2.7:5678`, `[2001:db8::7]:5678`. */
function withoutPort(hop: string): string {
  return /^\[([^[\]]*)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d{1,5}$/, '$1')
}
