import assert from 'node:assert/strict'
import { test } from 'node:test'

import { pino } from 'pino'

import { createFaultLog, type FaultLog } from './fault-log.ts'

/** Level, number of failures, reason and message of each line. */
function logged(use: (faults: FaultLog) => void): unknown[] {
  const lines: string[] = []
  use(createFaultLog(pino({}, { write: (line) => void lines.push(line) }), 'look for work'))
  return lines.map((line) => {
    const { level, failures, err, msg } = JSON.parse(line) as Record<string, unknown>
    return [level, failures, (err as { message: string } | undefined)?.message, msg]
  })
}

test('createFaultLog() logs a reason once until the work succeeds', () => {
  const lines = logged((faults) => {
    faults.succeed()
    for (let count = 0; count < 3; count += 1) faults.fail(new Error('no database'))
    faults.succeed()
    faults.succeed()
    faults.fail(new Error('no database'))
  })
  assert.deepEqual(lines, [
    [50, 1, 'no database', 'look for work'],
    [30, 3, undefined, 'look for work: succeeds again'],
    [50, 1, 'no database', 'look for work'],
  ])
})

test('createFaultLog() logs another reason at once', () => {
  const lines = logged((faults) => {
    faults.fail(new Error('no database'))
    faults.fail(new Error('no space'))
  })
  assert.deepEqual(lines, [
    [50, 1, 'no database', 'look for work'],
    [50, 2, 'no space', 'look for work'],
  ])
})

test('createFaultLog() repeats a reason after ten minutes', (t) => {
  const lines = logged((faults) => {
    const start = performance.now()
    faults.fail(new Error('no database'))
    t.mock.method(performance, 'now', () => start + 600_100)
    faults.fail(new Error('no database'))
  })
  assert.deepEqual(lines, [
    [50, 1, 'no database', 'look for work'],
    [50, 2, 'no database', 'look for work'],
  ])
})
