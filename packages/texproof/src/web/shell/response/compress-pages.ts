import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { MiddlewareHandler } from 'hono'

import { acceptsGzip } from '../../../domain/accepts-gzip.ts'

const pack = promisify(gzip)

/** Smaller pages fit into the first packets as they are. */
const MIN_BYTES = 4_000

/** A page of 500 kB takes 4 ms at this level and is as small as a higher one makes it, but for a tenth. */
const LEVEL = 3

/**
 * Sends pages compressed to browsers that take them so. What a page keeps secret cannot be guessed from its size: the
 * token in its forms is another in every answer, and no other site can ask for pages with a reader's cookie.
 */
export const compressPages: MiddlewareHandler = async (c, next) => {
  await next()
  const isPage = c.res.headers.get('content-type')?.startsWith('text/html') === true
  if (!isPage || c.req.method === 'HEAD' || !acceptsGzip(c.req.header('accept-encoding'))) return
  const bytes = new Uint8Array(await c.res.arrayBuffer())
  if (bytes.byteLength < MIN_BYTES) {
    c.res = new Response(bytes, c.res)
    return
  }
  c.res = new Response(new Uint8Array(await pack(bytes, { level: LEVEL })), c.res)
  c.res.headers.set('content-encoding', 'gzip')
  c.res.headers.delete('content-length')
}
