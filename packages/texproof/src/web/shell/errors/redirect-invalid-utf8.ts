import type { Context, Next } from 'hono'

import { localPath } from '../../../accounts/session/local-path.ts'
import { isReading } from './error-pages.ts'

/** A byte beyond ASCII. */
const ESCAPED = /%[89a-f]/i
const INCOMPLETE = /%(?![\da-f]{2})/i

/**
 * Redirects an address with bytes that are not UTF-8, as other git hosts link to files with such names, to the address
 * that pages link to: with U+FFFD in place of these bytes, as in `parseTree`.
 */
export async function redirectInvalidUtf8(c: Context, next: Next): Promise<Response | undefined> {
  const readable = isReading(c) && ESCAPED.test(c.req.url) ? findReadable(c.req.url) : null
  if (readable !== null) return c.redirect(localPath(readable))
  await next()
  return undefined
}

/** Null if all bytes of the path are UTF-8, or an escape is incomplete. */
function findReadable(url: string): string | null {
  const { pathname, search } = new URL(url)
  if (INCOMPLETE.test(pathname)) return null
  const readable = pathname.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (bytes) =>
    encodeURIComponent(Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
  )
  return readable.toUpperCase() === pathname.toUpperCase() ? null : readable + search
}
