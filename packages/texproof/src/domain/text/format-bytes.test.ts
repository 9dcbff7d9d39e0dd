import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseSize } from '../../config/parse-values.ts'
import { formatBytes } from './format-bytes.ts'

test('formatBytes() shows a decimal place below a hundred', () => {
  assert.deepEqual([0, 512, 1023, 1234, 34_567, 9_940_000, 200_000_000].map(formatBytes), [
    '0 B',
    '512 B',
    '1023 B',
    '1.2 kB',
    '33.8 kB',
    '9.5 MB',
    '191 MB',
  ])
})

test('formatBytes() shows a size as it is set', () => {
  const sizes = ['64k', '500m', '20g', '7168g'].map((text) => parseSize(text) ?? 0)
  assert.deepEqual([...sizes, 7000 * 1024 ** 4].map(formatBytes), ['64 kB', '500 MB', '20 GB', '7 TB', '7000 TB'])
})
