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

test('commitSubject() and messageBody() have no control characters except line breaks and tabs', () => {
  const message = 'Fix\u0007the \u001b[31mterm\u202e\r\n\r\nIts\u0000code:\r\n\tterm\u0085\n'
  assert.deepEqual([commitSubject(message), messageBody(message)], ['Fix the  [31mterm', 'Its code:\n\tterm'])
  assert.deepEqual([commitSubject('\u0007\n\nText.'), messageBody('\u0007\n\nText.')], ['no message', 'Text.'])
})
