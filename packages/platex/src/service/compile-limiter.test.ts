import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createCompileLimiter } from './compile-limiter.ts'

describe('createCompileGate', () => {
  test('gives exactly as many slots as it has', () => {
    const limiter = createCompileLimiter(2)
    assert.deepEqual(
      [limiter.enter() !== null, limiter.enter() !== null, limiter.enter(), limiter.isFull()],
      [true, true, null, true],
    )
  })

  test('frees a slot once, however often it is left', () => {
    const limiter = createCompileLimiter(2)
    const leave = limiter.enter()
    limiter.enter()
    leave?.()
    leave?.()
    assert.equal(limiter.running(), 1)
  })

  test('is idle at once when nothing runs, and else when the last slot is free', async () => {
    const limiter = createCompileLimiter(1)
    await limiter.whenIdle()
    const leave = limiter.enter()
    const idle = limiter.whenIdle().then(() => limiter.running())
    leave?.()
    assert.equal(await idle, 0)
  })

  test('never is full without a ceiling', () => {
    const limiter = createCompileLimiter(Infinity)
    for (let count = 0; count < 100; count += 1) limiter.enter()
    assert.equal(limiter.isFull(), false)
  })

  test('sets Retry-After to the median compile time, 1 to 5 seconds', (context) => {
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const limiter = createCompileLimiter(1)
    const runFor = (milliseconds: number): void => {
      const leave = limiter.enter()
      now += milliseconds
      leave?.()
    }
    const advice = [limiter.retryAfterSeconds()]
    for (const milliseconds of [200, 2500, 2600, 60_000, 60_000, 60_000]) {
      runFor(milliseconds)
      advice.push(limiter.retryAfterSeconds())
    }
    assert.deepEqual(advice, [1, 1, 3, 3, 3, 3, 5])
  })
})
