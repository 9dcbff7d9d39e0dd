/** A server that takes letters. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Whether it speaks TLS from the first byte; otherwise it is asked to begin it. */
  readonly isTls: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

/** Reads `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:` for TLS from the start; null for anything else. */
export function parseSmtpUrl(text: string): SmtpServer | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const isTls = protocol === 'smtps:'
  if ((!isTls && protocol !== 'smtp:') || hostname === '' || !/^\/?$/.test(pathname + search + hash)) return null
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) }
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isTls ? 465 : 587) : Number(port),
      isTls,
      login: login.user === '' ? null : login,
    }
  } catch {
    // A percent sign that encodes nothing.
    return null
  }
}
