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

test('occasional failures between many successes do not add up', async () => {
  const clock = { now: 0 }
  const throttle = createThrottle({ allowed: 20, firstWaitMs: 30_000, longestWaitMs: 900_000 }, () => clock.now)
  const waits: number[] = []
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    clock.now = minute * 60_000
    waits.push(await throttle.attempt('a university'))
    const isTypingError = minute % 10 === 0
    if (!isTypingError) await throttle.forgive('a university')
  }
  assert.deepEqual(
    waits.filter((waitMs) => waitMs > 0),
    [],
  )
})

test('attempts right after each wait are never allowed sooner', async () => {
  const hourMs = 3_600_000
  const clock = { now: 0 }
  const throttle = createThrottle({ allowed: 5, firstWaitMs: 30_000, longestWaitMs: 900_000 }, () => clock.now)
  let attempts = 0
  while (clock.now < 24 * hourMs) {
    const waitMs = await throttle.attempt('alice')
    clock.now += waitMs
    if (waitMs === 0) attempts += 1
  }
  assert.ok(attempts <= 24 * 4 + 10, `${attempts}`)
})

test('failures are forgotten one by one after the last wait', async () => {
  const clock = { now: 0 }
  const throttle = createThrottle({ allowed: 2, firstWaitMs: 1_000, longestWaitMs: 3_000 }, () => clock.now)
  for (let count = 0; count < 2; count += 1) await throttle.attempt('alice')
  clock.now = 1_000 + 30 * 60_000 // half an hour after the wait: one of two is forgotten
  assert.deepEqual([await throttle.attempt('alice'), await throttle.attempt('alice')], [0, 1_000])
})
