// The types of setting values: each parses a text, null = invalid.

/** Where a server listens. */
export interface Listen {
  readonly host: string
  readonly port: number
}

/** A mail server. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the connection; otherwise by STARTTLS. */
  readonly isTls: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const unitBytes = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const

/** `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`. @default host localhost; port 0 = any free port */
export function parseListen(text: string): Listen | null {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]*)):)?(\d{1,5})$/.exec(text.trim())
  if (match === null) return null
  const [, ipv6, name, port] = match
  const host = ipv6 ?? (name || 'localhost')
  // Refuses ports above 65535 and hosts such as 256.0.0.1, which is neither an IP address nor a name.
  if (!URL.canParse(`http://${ipv6 === undefined ? host : `[${ipv6}]`}:${port}`)) return null
  return { host, port: Number(port) }
}

/** `500ms`, `60s`, `5m`, `12h` or `30d` in milliseconds, more than 0. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  const unit = match?.[2]
  if (unit !== 'ms' && unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return null
  const durationMs = Number(match?.[1]) * unitMs[unit]
  return durationMs > 0 ? durationMs : null
}

/** Timers hold 24 days, and some wait for several times a limit. */
const maxWaitMs = unitMs.d

/** A duration that becomes a timer: at most a day. */
export function parseWait(text: string): number | null {
  const durationMs = parseDuration(text)
  return durationMs !== null && durationMs <= maxWaitMs ? durationMs : null
}

/** `500m`, `2g`, `64k` (powers of 1024) or plain bytes, more than 0. */
export function parseSize(text: string): number | null {
  const match = /^(\d{1,16})([kmg]?)$/.exec(text.trim().toLowerCase())
  const unit = match?.[2]
  if (unit !== '' && unit !== 'k' && unit !== 'm' && unit !== 'g') return null
  const bytes = Number(match?.[1]) * unitBytes[unit]
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null
}

/** A whole number from 1. */
export function parseCount(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

/** A count, or 0 for none. */
export function parseCountOrNone(text: string): number | null {
  return text === '0' ? 0 : parseCount(text)
}

/** `true` or `false`. */
export function parseBoolean(text: string): boolean | null {
  return text === 'true' ? true : text === 'false' ? false : null
}

/** One line of at most 100 characters, trimmed. */
export function parseLine(text: string): string | null {
  const line = text.trim()
  return line === '' || line.length > 100 || /\p{Cc}/u.test(line) ? null : line
}

/** A path of the file system. */
export function parsePath(text: string): string | null {
  return text.trim() === '' || /\p{Cc}/u.test(text) ? null : text
}

/** Visible ASCII, because it is sent in a header. */
export function parseKey(text: string): string | null {
  return /^[\x21-\x7e]+$/.test(text) ? text : null
}

/** A client id or secret: printable ASCII. Source: RFC 6749, appendix A. */
export function parseClientText(text: string): string | null {
  return /^[\x20-\x7e]+$/.test(text) ? text : null
}

/** An absolute http or https URL without query, fragment and login; the trailing slash is removed. */
export function parseBaseUrl(text: string): string | null {
  const trimmed = text.trim()
  if (!URL.canParse(trimmed)) return null
  const url = new URL(trimmed)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Hosts of this machine, for which plain HTTP is safe. */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The issuer URL of an identity provider, unchanged: https, or http on this machine. */
export function parseIssuer(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  if (`${username}${password}${search}${hash}` !== '') return null
  return protocol === 'https:' || (protocol === 'http:' && loopbackHosts.has(hostname)) ? text : null
}

const EMAIL_ADDRESS = String.raw`[^\s<>@,;]+@[^\s<>@,;]+`
const SENDER = new RegExp(String.raw`^(?:${EMAIL_ADDRESS}|[^\p{Cc}<>@,;"]{1,100} <${EMAIL_ADDRESS}>)$`, 'u')
/** Other programs require the quotes around a name with punctuation. */
const QUOTED_SENDER = new RegExp(String.raw`^"([^\p{Cc}"\\]{1,100})" (<${EMAIL_ADDRESS}>)$`, 'u')

/** The From address of emails: `Papers <papers@uni.example>` or the address alone. Removes quotes around the name. */
export function parseSender(text: string): string | null {
  const trimmed = text.trim()
  const [, name, address] = QUOTED_SENDER.exec(trimmed) ?? []
  if (name !== undefined) return `${name} ${address}`
  return SENDER.test(trimmed) ? trimmed : null
}

/** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?OPTIONS`. */
export function parsePostgresUrl(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, pathname } = new URL(text)
  return /^postgres(?:ql)?:$/.test(protocol) && pathname.length > 1 ? text : null
}

/** A key of 32 bytes in hexadecimal digits. */
export function parseSealingKey(text: string): string | null {
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null
}

/** `smtp://USER:PASSWORD@HOST:PORT`, or `smtps:` for TLS from the start. */
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
    // An invalid percent escape.
    return null
  }
}
