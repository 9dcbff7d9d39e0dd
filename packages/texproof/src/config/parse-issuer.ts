/** Names of this machine, where nobody listens in. */
const here: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An issuer of OpenID Connect, exactly as it names itself: https, or http on this machine; null for anything else. */
export function parseIssuer(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (`${username}${password}${search}${hash}` !== '') return null
  return protocol === 'https:' || (protocol === 'http:' && here.has(hostname)) ? text : null
}
