/** The part of a request target that routing looks at, and the rest. */
export interface RequestTarget {
  /** As sent, from the first slash to the question mark. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
}

const basePath = '/api/v3'

/** Splits a raw request target; the absolute form that proxies send loses its scheme and authority. */
export function parseRequestTarget(rawTarget: string): RequestTarget {
  const target = rawTarget.startsWith('/') ? rawTarget : withoutAuthority(rawTarget)
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Whether a raw request target is answered by the API: `/api` and everything below it, routes or not. */
export function isApiPath(rawTarget: string): boolean {
  const { path } = parseRequestTarget(rawTarget)
  return path === '/api' || path.startsWith('/api/')
}

/** What follows the base path; empty for the base path itself and for every path outside it. */
export function belowBasePath(path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : ''
}

function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/?]*/i.exec(target)?.[0]
  return authority === undefined ? target : target.slice(authority.length)
}
