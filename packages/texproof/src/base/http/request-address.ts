/**
 * The client address of the request that is being handled, available wherever the event log is written for it.
 *
 * The actions of all surfaces add events, and only the event log needs the address. A request is therefore handled in an
 * asynchronous context with its address, instead of passing it through every action.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, RequestListener } from 'node:http'

import type { Config } from '../../config/read-config.ts'
import { trustProxies } from '../client-address.ts'

/** Finds the address on demand: hardly any request adds an event. */
const addresses = new AsyncLocalStorage<() => string>()

/** Makes a listener handle each request in the context of its client address. */
export function withRequestAddress(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  listener: RequestListener,
): RequestListener {
  const findClientAddress = trustProxies(trustedProxies)
  return (request, response) => {
    const findAddress = (): string => findClientAddress(request.socket.remoteAddress, readForwardedFor(request))
    addresses.run(findAddress, listener, request, response)
  }
}

/** The client address of the request that causes this work; null for work of a command or of the server itself. */
export function requestAddress(): string | null {
  return addresses.getStore()?.() ?? null
}

function readForwardedFor({ headers }: IncomingMessage): string {
  return [headers['x-forwarded-for'] ?? []].flat().join(',')
}
