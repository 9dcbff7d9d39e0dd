import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { MiddlewareHandler } from 'hono'

import { acceptsGzip } from '../../../domain/accepts-gzip.ts'

const pack = promisify(gzip)

/** Smaller pages fit into the first packets uncompressed. */
const MIN_BYTES = 4_000

/** A page of 500 kB takes 4 ms at this level; higher levels save less than a tenth. */
const LEVEL = 3

/**
 * Compresses pages for browsers that accept it. Safe against compression attacks: the form token differs in every
 * response, and other sites cannot request pages with a user's cookie.
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
