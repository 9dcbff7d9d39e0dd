import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { Context } from 'hono'

import { acceptsGzip } from '../../../domain/accepts-gzip.ts'

const compress = promisify(gzip)

/** Smaller pages fit into the first packets uncompressed. */
const MIN_LENGTH = 4_000

/** A page of 500 kB takes 4 ms at this level; higher levels save less than a tenth. */
const LEVEL = 3

/**
 * A page in gzip; null if it is small or the browser does not accept that. Safe against compression attacks: the form token
 * differs in every response, and other sites cannot request pages with a user's cookie.
 */
export async function packPage(c: Context, text: string): Promise<Uint8Array<ArrayBuffer> | null> {
  if (text.length < MIN_LENGTH || !acceptsGzip(c.req.header('accept-encoding'))) return null
  return compress(text, { level: LEVEL })
}
