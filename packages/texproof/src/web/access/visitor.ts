import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

import { isLoopback } from '../../config.ts'
import type { Visitor } from '../../accounts/session-cookie.ts'

/**
 * From where a browser asks. A proxy on this machine is believed when it names the address it was asked from, by the
 * last entry of `X-Forwarded-For`, the one it wrote itself; nobody else is.
 */
export function visitorOf(c: Context): Visitor {
  const address = getConnInfo(c).remote.address?.replace(/^::ffff:/, '') ?? 'unknown'
  const forwarded = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
  const isProxied = forwarded !== undefined && /^[0-9a-fA-F.:]{2,45}$/.test(forwarded) && isLoopback(address)
  return { address: isProxied ? forwarded : address, agent: c.req.header('user-agent') ?? '' }
}
