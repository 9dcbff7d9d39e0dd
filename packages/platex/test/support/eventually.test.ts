import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventually } from './eventually.ts'

test('eventually() returns the first expected value', async () => {
  const values = [0, 1, 2, 3]
  assert.equal(await eventually(() => values.shift() ?? 0, { until: (value) => value >= 2 }), 2)
})

test('eventually() reports the expectation and the last value on timeout', async () => {
  await assert.rejects(
    eventually(() => ['queued'], { within: 0, until: (states) => states.includes('built') }),
    {
      message:
        "still not after 0 ms: () => ['queued'] until (states) => states.includes('built')\nlast value: [ 'queued' ]",
    },
  )
})

test('eventually() rethrows exceptions of the function', async () => {
  const ask = (): never => {
    throw new Error('the database is closed')
  }
  await assert.rejects(eventually(ask), { message: 'the database is closed' })
})
