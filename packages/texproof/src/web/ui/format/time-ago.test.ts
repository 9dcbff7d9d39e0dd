import assert from 'node:assert/strict'
import { test } from 'node:test'

import { timeCell, timeElement } from './time-ago.ts'

test('a time whose year has not four digits is shown as 1970, as in the API', () => {
  const times = [253_402_300_800_000, -62_167_219_200_001]
  assert.deepEqual(
    times.map((at) => [timeElement(at), timeCell(at)]),
    times.map(() => [
      '<time datetime="1970-01-01T00:00:00.000Z" data-ago title="1970-01-01 00:00:00 UTC">1 January 1970</time>',
      '<td data-ago title="1970-01-01 00:00:00 UTC">1 January 1970',
    ]),
  )
})
