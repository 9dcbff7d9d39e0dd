import assert from 'node:assert/strict'
import { test } from 'node:test'

import { timestamp } from './timestamp.ts'

test('a time has whole seconds in UTC', () => {
  assert.equal(timestamp(Date.UTC(2026, 0, 31, 12, 0, 0, 999)), '2026-01-31T12:00:00Z')
})

test('times before 1970 and in the year 9999 keep their four digits', () => {
  assert.deepEqual(
    [timestamp(Date.UTC(1066, 9, 14)), timestamp(Date.UTC(10_000, 0) - 1)],
    ['1066-10-14T00:00:00Z', '9999-12-31T23:59:59Z'],
  )
})

test('a time whose year has not four digits is 1970', () => {
  const times = [Date.UTC(10_000, 0), Date.UTC(-1, 11, 31), 9e15, NaN, Infinity]
  assert.deepEqual(times.map(timestamp), Array(5).fill('1970-01-01T00:00:00Z'))
})
