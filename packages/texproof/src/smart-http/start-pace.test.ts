import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createStartPace } from './start-pace.ts'

const never = new AbortController().signal

test('createStartPace() lets starts through in the order in which they came, others in between', async () => {
  const pace = createStartPace(5)
  const order: string[] = []
  const turns = ['a', 'b', 'c'].map((name) => pace.turn(never).then(() => order.push(name)))
  await turns[0]
  setImmediate(() => order.push('somebody else'))
  await Promise.all(turns)
  assert.deepEqual(order, ['a', 'somebody else', 'b', 'c'])
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
