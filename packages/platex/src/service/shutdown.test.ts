import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createCompileLimiter } from './compile-limiter.ts'
import { createShutdown } from './shutdown.ts'

describe('createShutdown', () => {
  test('drains at once if nothing runs', async () => {
    const shutdown = createShutdown(createCompileLimiter(1))
    await shutdown.drain()
    assert.deepEqual([shutdown.isDraining(), shutdown.killSignal.aborted], [true, false])
  })

  test('waits for a running compile without cancelling it', async () => {
    const limiter = createCompileLimiter(1)
    const leave = limiter.enter()
    const shutdown = createShutdown(limiter)
    const drained = shutdown.drain()
    leave?.()
    await drained
    assert.equal(shutdown.killSignal.aborted, false)
  })

  test('cancels a compile after its timeout, and waits for its end', async () => {
    const limiter = createCompileLimiter(1)
    const leave = limiter.enter()
    const shutdown = createShutdown(limiter)
    shutdown.killSignal.addEventListener('abort', () => leave?.())
    await shutdown.drain({ timeoutMs: 1 })
    assert.deepEqual([shutdown.killSignal.aborted, limiter.running()], [true, 0])
  })

  test('can be called again with a shorter timeout', async () => {
    const limiter = createCompileLimiter(1)
    const leave = limiter.enter()
    const shutdown = createShutdown(limiter)
    shutdown.killSignal.addEventListener('abort', () => leave?.())
    await Promise.all([shutdown.drain(), shutdown.drain({ timeoutMs: 1 })])
    assert.equal(limiter.running(), 0)
  })
})
