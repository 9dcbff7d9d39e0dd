import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createRetentionClock } from './retention-clock.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

/** Settings, and a machine whose two clocks the test sets. */
function makeMachine() {
  const values = new Map<string, string>()
  const machine = { wall: 1_700_000_000_000, elapsed: 0 }
  const settings = {
    find: async (key: string) => values.get(key) ?? null,
    set: async (key: string, value: string) => void values.set(key, value),
  }
  const start = () => createRetentionClock(settings, { wall: () => machine.wall, elapsed: () => machine.elapsed })
  const pass = (ms: number) => {
    machine.wall += ms
    machine.elapsed += ms
  }
  return { machine, start, pass }
}

test('the retention clock follows the clock of the machine', async () => {
  const { machine, start, pass } = makeMachine()
  const clock = start()
  const read = [await clock.now()]
  pass(HOUR_MS)
  read.push(await clock.now())
  assert.deepEqual(read, [machine.wall - HOUR_MS, machine.wall])
})

test('a clock that jumps ahead gains an hour per start and twice the time that passes', async () => {
  const { machine, start, pass } = makeMachine()
  const before = await start().now()
  machine.wall += YEAR_MS
  const clock = start()
  const read = [await clock.now()]
  pass(HOUR_MS)
  read.push(await clock.now(), await start().now())
  assert.deepEqual(
    read.map((at) => (at - before) / HOUR_MS),
    [1, 3, 4],
  )
})

test('after a clock was set back, the retention clock is back as well', async () => {
  const { machine, start } = makeMachine()
  const clock = start()
  await clock.now()
  machine.wall -= YEAR_MS
  assert.equal(await clock.now(), machine.wall)
})
