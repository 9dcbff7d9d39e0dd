/** The relying party of a host. Passkeys are bound to its host name, so a phishing page cannot use them. */
export interface PasskeyParty {
  /** The host name. */
  readonly id: string
  readonly origin: string
}

/**
 * The relying party of a host; null if browsers do not allow passkeys: at an IP address, or without TLS except on
 * localhost.
 */
export function findPasskeyParty(baseUrl: string): PasskeyParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return isAddress || (protocol !== 'https:' && !isLocal) ? null : { id: hostname, origin }
}
