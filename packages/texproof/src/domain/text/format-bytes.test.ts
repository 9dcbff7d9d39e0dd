import assert from 'node:assert/strict'
import { test } from 'node:test'

import { formatBytes } from './format-bytes.ts'

test('formatBytes() shows a decimal place below a hundred', () => {
  assert.deepEqual([0, 512, 999, 1000, 1234, 34_567, 9_940_000, 5e12, 7e15].map(formatBytes), [
    '0 B',
    '512 B',
    '999 B',
    '1.0 kB',
    '1.2 kB',
    '34.6 kB',
    '9.9 MB',
    '5.0 TB',
    '7000 TB',
  ])
})
