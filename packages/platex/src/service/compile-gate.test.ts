import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { createCompileGate } from './compile-gate.ts'

describe('createCompileGate', () => {
  test('gives exactly as many slots as it has', () => {
    const gate = createCompileGate(2)
    assert.deepEqual(
      [gate.enter() !== null, gate.enter() !== null, gate.enter(), gate.isFull()],
      [true, true, null, true],
    )
  })

  test('frees a slot once, however often it is left', () => {
    const gate = createCompileGate(2)
    const leave = gate.enter()
    gate.enter()
    leave?.()
    leave?.()
    assert.equal(gate.running(), 1)
  })

  test('is idle at once when nothing runs, and else when the last slot is free', async () => {
    const gate = createCompileGate(1)
    await gate.whenIdle()
    const leave = gate.enter()
    const idle = gate.whenIdle().then(() => gate.running())
    leave?.()
    assert.equal(await idle, 0)
  })

  test('never is full without a ceiling', () => {
    const gate = createCompileGate(Infinity)
    for (let count = 0; count < 100; count += 1) gate.enter()
    assert.equal(gate.isFull(), false)
  })

  test('tells callers to come back after the median compile, 1 to 5 seconds', (context) => {
    let now = 0
    context.mock.method(performance, 'now', () => now)
    const gate = createCompileGate(1)
    const runFor = (milliseconds: number): void => {
      const leave = gate.enter()
      now += milliseconds
      leave?.()
    }
    const advice = [gate.retryAfterSeconds()]
    for (const milliseconds of [200, 2500, 2600, 60_000, 60_000, 60_000]) {
      runFor(milliseconds)
      advice.push(gate.retryAfterSeconds())
    }
    assert.deepEqual(advice, [1, 1, 3, 3, 3, 3, 5])
  })
})
