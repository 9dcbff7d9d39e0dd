import assert from 'node:assert/strict'
import { test } from 'node:test'

import { formatDate } from './format-date.ts'

test('formatDate() writes the day in UTC as readers in Britain do', () => {
  const likeBritain = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const times = Array.from({ length: 24 }, (_, half) => Date.UTC(2026, 0, 1, 23, 59) + half * 15.5 * 86_400_000)
  assert.deepEqual(
    times.map(formatDate),
    times.map((at) => likeBritain.format(at)),
  )
  assert.equal(formatDate(Date.UTC(2026, 2, 3)), '3 March 2026')
})
