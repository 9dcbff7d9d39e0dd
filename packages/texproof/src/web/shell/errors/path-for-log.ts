import type { Context } from 'hono'

/** The path of a request as the log may keep it: what is in the address of a shared paper opens it, so it is left out. */
export function pathForLog({ req }: Context): string {
  return req.path.replace(/^(\/(?:s|%73)\/)[^/]+/i, '$1…')
}
