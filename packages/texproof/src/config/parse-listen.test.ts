import assert from 'node:assert/strict'
import { it } from 'node:test'

import fc from 'fast-check'

import { parseListen } from './parse-listen.ts'

it('parseListen reads a host and a port, either in short', () => {
  const texts = ['127.0.0.1:3000', ':3001', '3002', '[::1]:80', 'papers.example.org:8080', '0.0.0.0:0']
  assert.deepEqual(texts.map(parseListen), [
    { host: '127.0.0.1', port: 3000 },
    { host: 'localhost', port: 3001 },
    { host: 'localhost', port: 3002 },
    { host: '::1', port: 80 },
    { host: 'papers.example.org', port: 8080 },
    { host: '0.0.0.0', port: 0 },
  ])
})

it('parseListen refuses what is no address', () => {
  const texts = ['', 'localhost', ':', ':65536', ':-1', '::1:80', 'a b:1', 'http://x:1', ':12x']
  assert.deepEqual(
    texts.map(parseListen),
    texts.map(() => null),
  )
})

it('parseListen reads back every address of version 4', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 65_535 }), (host, port) => {
      assert.deepEqual(parseListen(`${host}:${port}`), { host, port })
    }),
  )
})
