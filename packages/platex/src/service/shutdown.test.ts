import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createCompileGate } from './compile-gate.ts'
import { createShutdown } from './shutdown.ts'

describe('createShutdown', () => {
  test('drains at once when nothing runs, and cancels nothing', async () => {
    const shutdown = createShutdown(createCompileGate(1))
    await shutdown.drain()
    assert.deepEqual([shutdown.isDraining(), shutdown.killSignal.aborted], [true, false])
  })

  test('waits for a running compile without cancelling it', async () => {
    const gate = createCompileGate(1)
    const leave = gate.enter()
    const shutdown = createShutdown(gate)
    const drained = shutdown.drain()
    leave?.()
    await drained
    assert.equal(shutdown.killSignal.aborted, false)
  })

  test('cancels a compile that outlasts its patience, and waits for its end', async () => {
    const gate = createCompileGate(1)
    const leave = gate.enter()
    const shutdown = createShutdown(gate)
    shutdown.killSignal.addEventListener('abort', () => leave?.())
    await shutdown.drain({ timeoutMs: 1 })
    assert.deepEqual([shutdown.killSignal.aborted, gate.running()], [true, 0])
  })

  test('can be asked twice, the second time with less patience', async () => {
    const gate = createCompileGate(1)
    const leave = gate.enter()
    const shutdown = createShutdown(gate)
    shutdown.killSignal.addEventListener('abort', () => leave?.())
    await Promise.all([shutdown.drain(), shutdown.drain({ timeoutMs: 1 })])
    assert.equal(gate.running(), 0)
  })
})
