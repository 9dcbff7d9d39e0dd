import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import { networkOf } from '../../accounts/session/network-of.ts'
import { createProxyCheck } from '../../base/client-address.ts'
import type { Network } from '../../config/parse-networks.ts'

/** Some 250 MB if all are idle. */
const MAX_CONNECTIONS = 20_000
const NETWORK_SHARE = 0.25

export interface ConnectionLimits {
  /** Limit of open files, which git and the database also need. Infinity if it is unknown. */
  readonly openFiles: number
  /** Proxies have the connections of many clients. */
  readonly trustedProxies: readonly Network[]
}

/** Closes new connections beyond half of the open files or 20,000, and beyond a quarter of that for each network. */
export function limitConnections(server: Server, { openFiles, trustedProxies }: ConnectionLimits): void {
  server.maxConnections = Math.min(Math.floor(openFiles / 2), MAX_CONNECTIONS)
  const maxPerNetwork = Math.max(1, Math.floor(NETWORK_SHARE * server.maxConnections))
  const isProxy = createProxyCheck(trustedProxies)
  const counts = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress?.replace(/^::ffff:|%.*$/g, '')
    // Without an address, it has ended.
    if (address === undefined || isProxy(address)) return
    const network = networkOf(address)
    const count = counts.get(network) ?? 0
    if (count >= maxPerNetwork) {
      socket.destroy()
      return
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 0) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
  })
}
