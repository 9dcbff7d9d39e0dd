import assert from 'node:assert/strict'
import { test } from 'node:test'

import { networkOf } from './network-of.ts'

test('an IPv4 address is its own network, however it is written', () => {
  assert.deepEqual(['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:192.0.2.7', 'unknown'].map(networkOf), [
    '192.0.2.7',
    '192.0.2.7',
    '192.0.2.7',
    'unknown',
  ])
})

test('IPv6 addresses of one customer are one network, even in compressed form', () => {
  const addresses = ['2001:db8::1', '2001:db8::a:b:c:d', '2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::', '2001:db8::9%eth0']
  assert.deepEqual([...new Set(addresses.map(networkOf))], ['2001:db8:0:0'])
})

test('other IPv6 networks are distinct', () => {
  const addresses = ['2001:db8:0:1::1', '2001:db8:1::1', '::1', 'fe80::1']
  assert.deepEqual(addresses.map(networkOf), ['2001:db8:0:1', '2001:db8:1:0', '0:0:0:0', 'fe80:0:0:0'])
})
