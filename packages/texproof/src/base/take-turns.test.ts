import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import { test } from 'node:test'

import { takeTurns, TooManyWaiting } from './take-turns.ts'

test('takeTurns runs so many at once and the others in their order, whatever fails', async () => {
  const inTurn = takeTurns({ atOnce: 2, waitingPerKey: 9 })
  const events: string[] = []
  const work = (name: string) => async (): Promise<void> => {
    events.push(`+${name}`)
    await tick()
    events.push(`-${name}`)
    if (name === 'a') throw new Error(name)
  }
  const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => inTurn('key', work(name))))
  assert.deepEqual(
    [events, ends.map(({ status }) => status)],
    [
      ['+a', '+b', '-a', '+c', '-b', '+d', '-c', '-d'],
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ],
  )
})

test('takeTurns gives each key its turn, however many wait for another', async () => {
  const inTurn = takeTurns({ atOnce: 1, waitingPerKey: 9 })
  const done: string[] = []
  const keys = ['a', 'a', 'a', 'a', 'b', 'b', 'c']
  await Promise.all(keys.map((key, n) => inTurn(key, async () => void done.push(`${key}${n}`))))
  assert.deepEqual(done, ['a0', 'a1', 'b4', 'c6', 'a2', 'b5', 'a3'])
})

test('takeTurns sends away who is one too many for a key, and takes others', async () => {
  const inTurn = takeTurns({ atOnce: 1, waitingPerKey: 1 })
  const ends = await Promise.allSettled(['a', 'a', 'a', 'b'].map((key) => inTurn(key, () => tick(key))))
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason instanceof TooManyWaiting)),
    ['a', 'a', true, 'b'],
  )
})

test('takeTurns lets out of the line whose signal fires, and nobody else', async () => {
  const inTurn = takeTurns({ atOnce: 1, waitingPerKey: 2 })
  const leaving = new AbortController()
  const first = inTurn('a', () => tick('first'))
  const second = inTurn('a', () => tick('second'), leaving.signal)
  const third = inTurn('a', () => tick('third'))
  leaving.abort('gone')
  const ends = await Promise.allSettled([first, second, third, inTurn('a', () => tick('fourth'))])
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason)),
    ['first', 'gone', 'third', 'fourth'],
  )
})
