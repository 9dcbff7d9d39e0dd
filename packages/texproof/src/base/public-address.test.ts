import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findAllowedAddress, isPublicAddress } from './public-address.ts'

test('isPublicAddress() refuses every private, local, shared and reserved network', () => {
  const refused = [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'localhost',
    '',
    '127.1',
  ]
  assert.deepEqual(refused.filter(isPublicAddress), [])
})

test('isPublicAddress() admits public addresses', () => {
  const admitted = ['8.8.8.8', '140.82.121.3', '2606:50c0:8000::153', '2a00:1450:4001::200e']
  assert.deepEqual(admitted.filter(isPublicAddress), admitted)
})

test('findAllowedAddress() resolves only names that other clients cannot read differently', async () => {
  const asked: string[] = []
  const lookup = async (name: string) => {
    asked.push(name)
    return [{ address: '127.0.0.1' }]
  }
  const valid = ['tides.example', 'xn--mnchen-3ya.example', '_x.a-b.example', 'localhost', 'a', 'a'.repeat(253)]
  const invalid = ['+tides.example', '-tides.example', '*', 'a,b', 'a!b', 'a:b', 'tides.example.', '', 'a'.repeat(254)]
  for (const name of [...valid, ...invalid]) await findAllowedAddress(name, { allowsPrivate: true, lookup })
  assert.deepEqual(asked, valid)
})

test('findAllowedAddress() resolves names, and refuses private addresses unless they are allowed', async () => {
  assert.deepEqual(
    [
      await findAllowedAddress('localhost', { allowsPrivate: false }),
      await findAllowedAddress('[::1]', { allowsPrivate: false }),
      await findAllowedAddress('127.0.0.1', { allowsPrivate: true }),
    ],
    [null, null, '127.0.0.1'],
  )
})
