import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseId } from './parse-id.ts'

test('parseId() accepts positive decimal numbers only', () => {
  const texts = [
    '1',
    '42',
    '999999999999999',
    undefined,
    '',
    '0',
    '01',
    '-1',
    '1.5',
    '1e3',
    '0x1',
    ' 1',
    '1'.repeat(16),
  ]
  assert.deepEqual(
    texts.map((text) => parseId(text)),
    [1, 42, 999_999_999_999_999, ...Array.from({ length: 10 }, () => null)],
  )
})
