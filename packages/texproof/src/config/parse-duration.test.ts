import assert from 'node:assert/strict'
import { it } from 'node:test'

import { parseDuration } from './parse-duration.ts'

it('parseDuration reads a whole number and a unit as milliseconds', () => {
  assert.deepEqual(
    ['500ms', '60s', '5m', '12h', '30d'].map(parseDuration),
    [500, 60_000, 300_000, 43_200_000, 2_592_000_000],
  )
})

it('parseDuration refuses a bare number, a fraction, nothing and other words', () => {
  assert.deepEqual(['60', '1.5s', '0s', '-1s', '', 's', '60 s', '1w', 'none'].map(parseDuration), Array(9).fill(null))
})
