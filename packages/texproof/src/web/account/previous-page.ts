import type { Context } from 'hono'

import { localPath } from '../../accounts/session/local-path.ts'

/** The ways in are no place to come back to. */
const WAYS_IN = /^\/(?:login|logout|join|reset|forgot|setup)(?:\/|\?|$)/

/**
 * The page of this host from which a browser says that it comes, or `/`. So a page whose words must not depend on its
 * address can lead to the sign-in page, and that page leads back.
 */
export function cameFrom(c: Context, { baseUrl }: { readonly baseUrl: string }): string {
  const referer = c.req.header('referer') ?? ''
  if (!URL.canParse(referer)) return '/'
  const { origin, host, pathname, search } = new URL(referer)
  const isOurs = origin === new URL(baseUrl).origin || host === c.req.header('host')
  const path = localPath(`${pathname}${search}`)
  return isOurs && !WAYS_IN.test(path) ? path : '/'
}
