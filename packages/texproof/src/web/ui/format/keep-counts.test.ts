import assert from 'node:assert/strict'
import { test } from 'node:test'

import { keepCounts } from './keep-counts.ts'

test('keepCounts() keeps each number and its noun on one line', () => {
  assert.equal(keepCounts('14 pages, 3 warnings'), '14\u{a0}pages, 3\u{a0}warnings')
  assert.equal(keepCounts('no warnings'), 'no warnings')
})
