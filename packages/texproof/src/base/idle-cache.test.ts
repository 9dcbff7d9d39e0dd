import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createIdleCache } from './idle-cache.ts'

test('createIdleCache() drops entries two minutes after their last use', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'] })
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const pass = (ms: number): void => {
    now += ms
    t.mock.timers.tick(ms)
  }
  const cache = createIdleCache<string>({ maxSize: 100, sizeOf: ({ length }) => length })
  cache.set('used', 'value')
  cache.set('unused', 'value')
  pass(90_000)
  cache.get('used')
  pass(90_000)
  const afterThreeMinutes = [...cache.keys()]
  pass(60_000)
  assert.deepEqual([afterThreeMinutes, cache.size], [['used'], 0])
})

test('createIdleCache() is bounded by the size of its entries', () => {
  const cache = createIdleCache<string>({ maxSize: 10, sizeOf: ({ length }) => length })
  for (const key of ['a', 'b', 'c']) cache.set(key, '12345')
  assert.deepEqual([...cache.keys()].toSorted(), ['b', 'c'])
})
