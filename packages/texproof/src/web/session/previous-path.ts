import type { Context } from 'hono'

import { localPath } from '../../accounts/session/local-path.ts'

/** The path and query of the page with the form; `/` if the browser does not say. */
export function previousPath(c: Context): string {
  const referer = c.req.header('referer') ?? ''
  if (!URL.canParse(referer)) return '/'
  const { pathname, search } = new URL(referer)
  return localPath(`${pathname}${search}`)
}
