/** The path and the query of a request target. */
export interface RequestTarget {
  /** Path as sent, from the first slash to the question mark. */
  readonly path: string
  /** Query without the question mark; empty if there is none. */
  readonly query: string
}

const basePath = '/api/v3'

/** Splits a raw request target of either form. */
export function parseRequestTarget(rawTarget: string): RequestTarget {
  const target = toOriginForm(rawTarget)
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/**
 * A raw request target without the scheme and authority of the absolute form, which clients send to proxies and which every
 * server accepts; other targets are unchanged.
 *
 * Source: RFC 9112, section 3.2.2.
 */
export function toOriginForm(rawTarget: string): string {
  if (rawTarget.startsWith('/')) return rawTarget
  const authority = /^https?:\/\/[^/?]*/i.exec(rawTarget)?.[0]
  if (authority === undefined) return rawTarget
  const target = rawTarget.slice(authority.length)
  return target.startsWith('/') ? target : `/${target}`
}

/** Whether a raw request target belongs to the API: `/api` and everything below it. */
export function isApiPath(rawTarget: string): boolean {
  const { path } = parseRequestTarget(rawTarget)
  return path === '/api' || path.startsWith('/api/')
}

/** The path below the base path; empty for the base path itself and for every path outside it. */
export function belowBasePath(path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : ''
}
