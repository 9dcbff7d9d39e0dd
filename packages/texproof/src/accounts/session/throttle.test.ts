import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createThrottle } from './throttle.ts'

const rule = { allowed: 2, firstWaitMs: 1_000, longestWaitMs: 3_000 }

test('a throttle waits after the allowed failures, each time twice as long, up to the longest wait', () => {
  const clock = { now: 0 }
  const throttle = createThrottle(rule, () => clock.now)
  const waits = Array.from({ length: 5 }, () => {
    throttle.attempt('alice')
    const waitMs = throttle.attempt('alice')
    clock.now += waitMs
    return waitMs
  })
  assert.deepEqual(waits, [0, 1_000, 2_000, 3_000, 3_000])
})

test('a throttle allows one key while another waits', () => {
  const throttle = createThrottle(rule, () => 0)
  for (let count = 0; count < 5; count += 1) throttle.attempt('alice')
  assert.equal(throttle.attempt('bob'), 0)
})

test('a forgiven attempt does not count', () => {
  const throttle = createThrottle(rule, () => 0)
  for (let count = 0; count < 5; count += 1) {
    throttle.attempt('alice')
    throttle.forgive('alice')
  }
  assert.equal(throttle.attempt('alice'), 0)
})
