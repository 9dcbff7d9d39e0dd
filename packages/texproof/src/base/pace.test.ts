import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createPace } from './pace.ts'

const never = new AbortController().signal

test('createPace() starts callers in order of arrival, never two in one turn of the event loop', async () => {
  const pace = createPace(1)
  let round = 0
  let counting = setImmediate(function count() {
    round += 1
    counting = setImmediate(count)
  })
  const starts = await Promise.all(['a', 'b', 'c'].map((name) => pace(never).then(() => ({ name, round }))))
  clearImmediate(counting)
  const order = starts.toSorted((left, right) => left.round - right.round).map(({ name }) => name)
  assert.deepEqual([order, new Set(starts.map((start) => start.round)).size], [['a', 'b', 'c'], 3])
})

test('createPace() skips a caller whose signal has aborted', async () => {
  const pace = createPace(1)
  const gone = AbortSignal.abort(new Error('gone away'))
  const first = pace(never)
  const second = pace(gone)
  const third = pace(never)
  await assert.rejects(second, /gone away/)
  assert.deepEqual(await Promise.all([first, third]), [undefined, undefined])
})
