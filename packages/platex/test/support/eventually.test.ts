import assert from 'node:assert/strict'
import { test } from 'node:test'

import { eventually } from './eventually.ts'

test('eventually() returns the first value that is awaited', async () => {
  const values = [0, 1, 2, 3]
  assert.equal(await eventually(() => values.shift() ?? 0, { until: (value) => value >= 2 }), 2)
})

test('eventually() says what was awaited, and the last value, when the time is over', async () => {
  await assert.rejects(
    eventually(() => ['queued'], { within: 0, until: (states) => states.includes('built') }),
    {
      message:
        "still not after 0 ms: () => ['queued'] until (states) => states.includes('built')\nlast value: [ 'queued' ]",
    },
  )
})

test('eventually() passes on what the question throws', async () => {
  const ask = (): never => {
    throw new Error('the database is closed')
  }
  await assert.rejects(eventually(ask), { message: 'the database is closed' })
})
