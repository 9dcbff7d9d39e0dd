import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

import type { Context } from 'hono'

/** Sends a complete file of the cache, with its length, so that clients detect truncation. */
export function sendFile(
  c: Context,
  { path, sizeBytes }: { readonly path: string; readonly sizeBytes: number },
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { ...headers, 'content-length': String(sizeBytes) }
  // An unread stream would keep its file open.
  if (c.req.raw.method === 'HEAD') return c.body(null, 200, all)
  return c.body(Readable.toWeb(createReadStream(path)), 200, all)
}
