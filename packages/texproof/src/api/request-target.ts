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

/** Whether a raw request target belongs to the API: its base path and all below it. */
export function isApiPath(rawTarget: string): boolean {
  const { path } = parseRequestTarget(rawTarget)
  return path === basePath || path.startsWith(`${basePath}/`)
}

/** What follows the base path; empty for the base path itself. */
export function belowBasePath(path: string): string {
  return path.slice(basePath.length)
}

function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/?]*/i.exec(target)?.[0]
  return authority === undefined ? target : target.slice(authority.length)
}
