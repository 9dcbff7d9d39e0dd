import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { Duplex } from 'node:stream'
import { test } from 'node:test'

import { parseNetworks } from '../../config/parse-networks.ts'
import { limitConnections } from './limit-connections.ts'

interface Connecting {
  connect(address: string): Duplex
}

/** A server with at most two connections for each network, which gets connections from any address. */
function limitedServer(trustedProxies = ''): Connecting {
  const server = createServer()
  limitConnections(server, { openFiles: 16, trustedProxies: parseNetworks(trustedProxies) ?? [] })
  return {
    connect(remoteAddress) {
      const socket = Object.assign(new Duplex({ read() {} }), { remoteAddress })
      server.emit('connection', socket)
      return socket
    },
  }
}

function connectAll(server: Connecting, addresses: readonly string[]): readonly boolean[] {
  return addresses.map((address) => server.connect(address)).map((socket) => !socket.destroyed)
}

test('limitConnections() closes connections of a network beyond a quarter of all', () => {
  const accepted = connectAll(limitedServer(), ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'])
  assert.deepEqual(accepted, [true, true, false, true])
})

test('limitConnections() counts the IPv6 addresses of a customer together', () => {
  const accepted = connectAll(limitedServer(), ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
  assert.deepEqual(accepted, [true, true, false, true])
})

test('limitConnections() accepts a connection after another one of the network has ended', async () => {
  const server = limitedServer()
  const [first] = [server.connect('192.0.2.1'), server.connect('192.0.2.1')]
  first?.destroy()
  await once(first as Duplex, 'close')
  assert.deepEqual(connectAll(server, ['192.0.2.1', '192.0.2.1']), [true, false])
})

test('limitConnections() does not count connections of proxies and of this machine', () => {
  const accepted = connectAll(limitedServer('10.0.0.0/24'), [
    '10.0.0.7',
    '10.0.0.7',
    '10.0.0.7',
    '127.0.0.1',
    '::1',
    '127.0.0.1',
    '::1',
    '127.0.0.1',
  ])
  assert.deepEqual(
    accepted,
    Array.from({ length: 8 }, () => true),
  )
})
