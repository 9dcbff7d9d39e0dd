import assert from 'node:assert/strict'
import { test } from 'node:test'

import { commitSubject, messageBody } from './commit-subject.ts'

test('commitSubject() is the first line, and messageBody() the others', () => {
  const message = 'Fix the boundary term\n\nIt had the wrong sign.\n'
  assert.deepEqual([commitSubject(message), messageBody(message)], ['Fix the boundary term', 'It had the wrong sign.'])
})

test('commitSubject() cuts a long first line, which messageBody() then shows in full', () => {
  const message = `${'𝄞'.repeat(5_000)}\nand more`
  assert.deepEqual([commitSubject(message), messageBody(message)], [`${'𝄞'.repeat(160)} …`, message])
})

test('commitSubject() names a commit without a message', () => {
  assert.deepEqual([commitSubject(''), messageBody('')], ['no message', ''])
})
