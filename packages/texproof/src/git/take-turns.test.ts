import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import { test } from 'node:test'

import { takeTurns } from './take-turns.ts'

test('takeTurns runs so many at once and the others in their order, whatever fails', async () => {
  const inTurn = takeTurns(2)
  const events: string[] = []
  const work = (name: string) => async (): Promise<void> => {
    events.push(`+${name}`)
    await tick()
    events.push(`-${name}`)
    if (name === 'a') throw new Error(name)
  }
  const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => inTurn(work(name))))
  assert.deepEqual(
    [events, ends.map(({ status }) => status)],
    [
      ['+a', '+b', '-a', '+c', '-b', '+d', '-c', '-d'],
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ],
  )
})
