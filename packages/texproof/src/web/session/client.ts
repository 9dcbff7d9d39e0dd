import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

import { clientAddress } from '../../base/client-address.ts'
import type { Client } from '../../accounts/session/session-cookie.ts'

/** The browser that sent a request. */
export function clientOf(c: Context): Client {
  const address = clientAddress(getConnInfo(c).remote.address, c.req.header('x-forwarded-for'))
  return { address, agent: c.req.header('user-agent') ?? '' }
}
