import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, MiddlewareHandler } from 'hono'

import { trustProxies } from '../../base/client-address.ts'
import type { Config } from '../../config/read-config.ts'
import type { Client } from '../../accounts/session/session-cookie.ts'

/** Finds the address of the browser, also behind proxies. */
export function readClientAddress({ trustedProxies }: Pick<Config, 'trustedProxies'>): MiddlewareHandler {
  const findClientAddress = trustProxies(trustedProxies)
  return (c, next) => {
    c.set('clientAddress', findClientAddress(getConnInfo(c).remote.address, c.req.header('x-forwarded-for')))
    return next()
  }
}

/** The browser that sent a request. */
export function clientOf(c: Context): Client {
  return { address: String(c.get('clientAddress')), agent: c.req.header('user-agent') ?? '' }
}
