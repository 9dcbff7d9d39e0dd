import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createThrottle } from './throttle.ts'

const rule = { allowed: 2, firstWaitMs: 1_000, longestWaitMs: 3_000 }

test('a throttle waits after the allowed failures, each time twice as long, up to the longest wait', async () => {
  const clock = { now: 0 }
  const throttle = createThrottle(rule, () => clock.now)
  const waits: number[] = []
  for (let count = 0; count < 5; count += 1) {
    await throttle.attempt('alice')
    const waitMs = await throttle.attempt('alice')
    clock.now += waitMs
    waits.push(waitMs)
  }
  assert.deepEqual(waits, [0, 1_000, 2_000, 3_000, 3_000])
})

test('a throttle allows one key while another waits', async () => {
  const throttle = createThrottle(rule, () => 0)
  for (let count = 0; count < 5; count += 1) await throttle.attempt('alice')
  assert.equal(await throttle.attempt('bob'), 0)
})

test('a forgiven attempt does not count', async () => {
  const throttle = createThrottle(rule, () => 0)
  for (let count = 0; count < 5; count += 1) {
    await throttle.attempt('alice')
    await throttle.forgive('alice')
  }
  assert.equal(await throttle.attempt('alice'), 0)
})
