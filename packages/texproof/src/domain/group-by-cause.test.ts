import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { LatexError } from '@texproof/platex'

import { countFollowers, groupByCause } from './group-by-cause.ts'

function error(message: string, cause?: number): LatexError {
  const fields = { type: 'error', file: 'main.tex', line: 1, message, context: null, source: 'latex' } as const
  return cause === undefined ? fields : { ...fields, cause }
}

function groupMessages(...errors: readonly LatexError[]): readonly (readonly string[])[] {
  return groupByCause(errors).map((group) => [group.error, ...group.followers].map(({ message }) => message))
}

test('groupByCause() groups errors with the error that caused them', () => {
  assert.deepEqual(groupMessages(error('a'), error('b', 0), error('c', 0), error('d'), error('e', 3)), [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ])
})

test('groupByCause() groups errors with their first cause', () => {
  assert.deepEqual(groupMessages(error('a'), error('b', 0), error('c', 1)), [['a', 'b', 'c']])
})

test('groupByCause() ignores a link to a later error, to itself and to none', () => {
  assert.deepEqual(groupMessages(error('a', 1), error('b', 1), error('c', 9)), [['a'], ['b'], ['c']])
})

test('countFollowers() counts them in words', () => {
  const counts = [0, 1, 2].map((count) =>
    countFollowers({ error: error('a'), followers: Array.from({ length: count }, () => error('b', 0)) }),
  )
  assert.deepEqual(counts, [null, 'and 1 error that follows from it', 'and 2 errors that follow from it'])
})
