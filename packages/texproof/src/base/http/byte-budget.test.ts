import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createByteBudget } from './byte-budget.ts'

test('createByteBudget() limits the bytes of one key', () => {
  const budget = createByteBudget({ total: 100, perKey: 10 })
  assert.notEqual(budget.take('alice', 10), null)
  assert.equal(budget.take('alice', 1), null)
  assert.notEqual(budget.take('bob', 10), null)
})

test('createByteBudget() limits the bytes of all keys', () => {
  const budget = createByteBudget({ total: 15, perKey: 10 })
  assert.notEqual(budget.take('alice', 10), null)
  assert.equal(budget.take('bob', 6), null)
  assert.notEqual(budget.take('bob', 5), null)
})

test('createByteBudget() releases bytes once', () => {
  const budget = createByteBudget({ total: 10, perKey: 10 })
  const release = budget.take('alice', 5)
  budget.take('bob', 5)
  release?.()
  release?.()
  assert.deepEqual([budget.take('alice', 6), typeof budget.take('alice', 5)], [null, 'function'])
})
