import assert from 'node:assert/strict'
import { test } from 'node:test'

import { symbol } from './symbol.ts'

test('symbol() writes a character with ASCII', () => {
  assert.equal(String(symbol('−')), '&#8722;')
})
