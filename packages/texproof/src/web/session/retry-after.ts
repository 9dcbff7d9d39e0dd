import type { Context } from 'hono'

/** Tells browser and reader how long to wait before another attempt: the one by `Retry-After`, the other in words. */
export function retryAfter(c: Context, waitMs: number): string {
  const waitS = Math.ceil(waitMs / 1000)
  c.header('retry-after', String(waitS))
  return `Too many attempts. Wait ${waitS} s, then try again.`
}
