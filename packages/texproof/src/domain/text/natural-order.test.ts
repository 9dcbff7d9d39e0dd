import assert from 'node:assert/strict'
import { test } from 'node:test'

import { sortNaturally } from './natural-order.ts'

function sort(...names: readonly string[]): readonly string[] {
  return sortNaturally(names.map((name) => ({ name }))).map(({ name }) => name)
}

test('numbers are compared by value', () => {
  assert.deepEqual(sort('topic-10', 'topic-2', 'topic', 'topic-1', 'topic-2b', 'topic-2a'), [
    'topic',
    'topic-1',
    'topic-2',
    'topic-2a',
    'topic-2b',
    'topic-10',
  ])
  assert.deepEqual(sort(`v${'9'.repeat(40)}`, `v1${'0'.repeat(40)}`, 'v7'), [
    'v7',
    `v${'9'.repeat(40)}`,
    `v1${'0'.repeat(40)}`,
  ])
})

test('names that differ only in case or leading zeros are ordered by their bytes', () => {
  assert.deepEqual(sort('b', 'a', 'B', 'A', 'x1', 'x01'), ['A', 'a', 'B', 'b', 'x01', 'x1'])
})
