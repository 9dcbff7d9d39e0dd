export interface Listen {
  readonly host: string
  readonly port: number
}

/** `HOST:PORT`, `[::1]:PORT`, `:PORT` or `PORT`; the host left out is localhost, port 0 is one that is free. */
export function parseListen(text: string): Listen | null {
  const match = /^(?:(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]*)):)?(\d{1,5})$/.exec(text.trim())
  if (match === null) return null
  const port = Number(match[3])
  if (port > 65_535) return null
  return { host: match[1] ?? (match[2] || 'localhost'), port }
}
