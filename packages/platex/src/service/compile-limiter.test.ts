import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createCompileLimiter } from './compile-limiter.ts'

describe('createCompileLimiter', () => {
  test('grants exactly its number of slots', () => {
    const limiter = createCompileLimiter(2)
    assert.deepEqual(
      [limiter.enter() !== null, limiter.enter() !== null, limiter.enter(), limiter.isFull()],
      [true, true, null, true],
    )
  })

  test('releases a slot once, however often it is called', () => {
    const limiter = createCompileLimiter(2)
    const leave = limiter.enter()
    limiter.enter()
    leave?.()
    leave?.()
    assert.equal(limiter.running(), 1)
  })

  test('is idle at once if nothing runs, otherwise when the last slot is free', async () => {
    const limiter = createCompileLimiter(1)
    await limiter.whenIdle()
    const leave = limiter.enter()
    const idle = limiter.whenIdle().then(() => limiter.running())
    leave?.()
    assert.equal(await idle, 0)
  })

  test('is never full without a maximum', () => {
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
    const delays = [limiter.retryAfterSeconds()]
    for (const milliseconds of [200, 2500, 2600, 60_000, 60_000, 60_000]) {
      runFor(milliseconds)
      delays.push(limiter.retryAfterSeconds())
    }
    assert.deepEqual(delays, [1, 1, 3, 3, 3, 3, 5])
  })
})
