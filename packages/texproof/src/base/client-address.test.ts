import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseNetworks } from '../config/parse-networks.ts'
import { trustProxies } from './client-address.ts'

const alone = trustProxies([])
const behindProxies = trustProxies(parseNetworks('10.0.0.0/24, fd00::5') ?? [])

test('without configured proxies, only a proxy on this machine names the client', () => {
  assert.deepEqual(
    [
      alone('127.0.0.1', '192.0.2.7'),
      alone('::ffff:127.0.0.1', '198.51.100.1, 192.0.2.7'),
      alone('::1', '2001:db8::7'),
      alone('10.0.0.5', '192.0.2.7'),
      alone('127.0.0.1', undefined),
      alone(undefined, '192.0.2.7'),
    ],
    ['192.0.2.7', '192.0.2.7', '2001:db8::7', '10.0.0.5', '127.0.0.1', 'unknown'],
  )
})

test('the client is the first address from the right that is no trusted proxy', () => {
  assert.deepEqual(
    [
      behindProxies('10.0.0.5', '192.0.2.7'),
      behindProxies('::ffff:10.0.0.5', '203.0.113.9, 192.0.2.7, 10.0.0.6'),
      behindProxies('fd00::5', '::ffff:192.0.2.7'),
      behindProxies('127.0.0.1', '192.0.2.7, 10.0.0.5'),
      behindProxies('10.0.1.5', '192.0.2.7'),
      behindProxies('fd00::6', '192.0.2.7'),
      behindProxies('10.0.0.5', '10.0.0.9'),
    ],
    ['192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.7', '10.0.1.5', 'fd00::6', '10.0.0.9'],
  )
})

test('addresses can have ports', () => {
  const headers = ['192.0.2.7:5678', '[2001:db8::7]:5678', '[2001:db8::7]', '192.0.2.7:1, [fd00::5]:2, 10.0.0.6:3']
  assert.deepEqual(
    headers.map((header) => behindProxies('10.0.0.5', header)),
    ['192.0.2.7', '2001:db8::7', '2001:db8::7', '192.0.2.7'],
  )
})

test('a header that is no list of addresses names the proxy', () => {
  const headers = [
    '',
    'unknown',
    '192.0.2.7:',
    '192.0.2.7:port',
    '2001:db8::7]:80',
    '[192.0.2.7',
    '192.0.2.7,',
    'x'.repeat(10_000),
    '1.2.3.4%eth0',
  ]
  assert.deepEqual(
    headers.map((header) => behindProxies('10.0.0.5', header)),
    headers.map(() => '10.0.0.5'),
  )
})

test('the address of a link does not depend on the interface', () => {
  assert.equal(alone('fe80::1%eth0', undefined), 'fe80::1')
})
