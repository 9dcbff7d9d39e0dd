import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context } from 'hono'

import { clientAddress } from '../../base/client-address.ts'
import type { Visitor } from '../../accounts/session/session-cookie.ts'

/** From where a browser asks. */
export function visitorOf(c: Context): Visitor {
  const address = clientAddress(getConnInfo(c).remote.address, c.req.header('x-forwarded-for'))
  return { address, agent: c.req.header('user-agent') ?? '' }
}
