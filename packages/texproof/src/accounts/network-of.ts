/** What an address is counted by when guessing is slowed: one customer of a provider has 2^64 IPv6 addresses. */
export function networkOf(address: string): string {
  return address.includes(':') && !address.startsWith('::ffff:') ? address.split(':').slice(0, 4).join(':') : address
}
