import type { Context, Next } from 'hono'

import { localPath } from '../../../accounts/session/local-path.ts'
import { isReading } from './error-pages.ts'

/**
 * Redirects an address with bytes that are not UTF-8, as other git hosts link to files with such names, to the address
 * that pages link to: with U+FFFD in place of these bytes, as in `parseTree`.
 */
export async function redirectInvalidUtf8(c: Context, next: Next): Promise<Response | undefined> {
  const { pathname, search } = new URL(c.req.url)
  const readable = pathname.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (bytes) =>
    encodeURIComponent(Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()),
  )
  const isSame = readable.toUpperCase() === pathname.toUpperCase()
  if (isSame || !isReading(c)) {
    await next()
    return undefined
  }
  return c.redirect(localPath(readable + search))
}
