import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createStartPace } from './start-pace.ts'

const never = new AbortController().signal

test('createStartPace() lets starts through in the order in which they came, never two in one round of events', async () => {
  const pace = createStartPace(1)
  let round = 0
  let counting = setImmediate(function count() {
    round += 1
    counting = setImmediate(count)
  })
  const starts = await Promise.all(['a', 'b', 'c'].map((name) => pace.turn(never).then(() => ({ name, round }))))
  clearImmediate(counting)
  const order = starts.toSorted((left, right) => left.round - right.round).map(({ name }) => name)
  assert.deepEqual([order, new Set(starts.map((start) => start.round)).size], [['a', 'b', 'c'], 3])
})

test('createStartPace() passes over whoever has given up waiting', async () => {
  const pace = createStartPace(1)
  const gone = AbortSignal.abort(new Error('gone away'))
  const first = pace.turn(never)
  const second = pace.turn(gone)
  const third = pace.turn(never)
  await assert.rejects(second, /gone away/)
  assert.deepEqual(await Promise.all([first, third]), [undefined, undefined])
})
