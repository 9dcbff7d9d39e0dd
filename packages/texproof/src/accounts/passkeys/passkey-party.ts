/** As whom a host asks for passkeys: they are bound to its name, so a page that only looks like it gets none. */
export interface PasskeyParty {
  /** The host name. */
  readonly id: string
  readonly origin: string
}

/** The party of a host; null where browsers allow no passkeys: at an IP address, or without TLS outside this machine. */
export function findPasskeyParty(baseUrl: string): PasskeyParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : { id: hostname, origin }
}
