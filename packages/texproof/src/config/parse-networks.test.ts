import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseNetworks } from './parse-networks.ts'

test('parseNetworks() reads addresses and networks', () => {
  assert.deepEqual(parseNetworks('10.0.0.5, 10.1.0.0/16,fd00::/8,::1'), [
    { address: '10.0.0.5', bits: 32, family: 'ipv4' },
    { address: '10.1.0.0', bits: 16, family: 'ipv4' },
    { address: 'fd00::', bits: 8, family: 'ipv6' },
    { address: '::1', bits: 128, family: 'ipv6' },
  ])
  assert.deepEqual(parseNetworks('none'), [])
})

test('parseNetworks() refuses names, incomplete lists and networks of all addresses', () => {
  const texts = [
    '',
    'balancer',
    '10.0.0.5,',
    '10.0.0',
    '10.0.0.0/33',
    '::/129',
    '0.0.0.0/0',
    '::/0',
    '*',
    'fe80::1%eth0',
  ]
  assert.deepEqual(
    texts.map(parseNetworks),
    texts.map(() => null),
  )
})
