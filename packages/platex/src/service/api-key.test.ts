import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyCheck } from './api-key.ts'

test('a key may be surrounded by spaces, and contain some', () => {
  const isAccepted = createKeyCheck('a b')
  const headers = ['Bearer a b', 'bearer   a b  ', 'Bearer a', 'Bearer a  b', 'Bearer ', 'Basic a b', null]
  assert.deepEqual(headers.map(isAccepted), [true, true, false, false, false, false, false])
})

test('a key of one character is accepted', () => {
  assert.equal(createKeyCheck('a')('Bearer a '), true)
})

test('a key with a million spaces inside is checked in linear time', () => {
  const isAccepted = createKeyCheck('a')
  const spaces = ' '.repeat(1_000_000)
  assert.deepEqual([isAccepted(`Bearer a${spaces}b`), isAccepted(`Bearer${spaces}a${spaces}`)], [false, true])
})
