import type { Context } from 'hono'

/** Sets `Retry-After`, and returns the same delay in words. */
export function retryAfter(c: Context, waitMs: number): string {
  const waitS = Math.ceil(waitMs / 1000)
  c.header('retry-after', String(waitS))
  return `Too many attempts. Wait ${waitS} s, then try again.`
}
