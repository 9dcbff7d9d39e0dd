import type { Context } from 'hono'

/** The length of a body in the response to HEAD, which is sent without it; nothing for GET, where the server counts it. */
export function headLength(c: Context, body: string | Uint8Array): Readonly<Record<string, string>> {
  return c.req.raw.method === 'HEAD' ? { 'content-length': String(Buffer.byteLength(body)) } : {}
}
