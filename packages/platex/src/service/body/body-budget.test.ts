import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createBodyBudget } from './body-budget.ts'

const MIB = 1024 * 1024
const BUSY = { name: 'RequestFault', status: 503, code: 'too_many_compiles' }

test('createBodyBudget limits all bodies together to four times the largest one', () => {
  const budget = createBodyBudget(100 * MIB, 'requests')
  const [first, second] = [budget.open(), budget.open()]
  first.take(300 * MIB)
  second.take(100 * MIB)
  assert.throws(() => second.take(1), BUSY)
  first.close()
  second.take(300 * MIB)
  assert.throws(() => second.take(1), BUSY)
})

test('createBodyBudget releases the bytes of an account once', () => {
  const budget = createBodyBudget(1, 'results')
  const account = budget.open()
  account.take(256 * MIB)
  account.close()
  account.close()
  budget.open().take(256 * MIB)
  assert.throws(() => budget.open().take(1), BUSY)
})
