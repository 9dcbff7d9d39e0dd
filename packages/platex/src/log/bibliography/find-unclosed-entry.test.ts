import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnclosedEntry } from './find-unclosed-entry.ts'

const SYNTAX_ERROR = "I was expecting a `,' or a `}'"

test('findUnclosedEntry() finds the field without a closing brace', () => {
  const lines = ['@book{one,', '  title = {T,', '  year = 2000', '}', '@book{two, title = {T}}']
  assert.equal(findUnclosedEntry(SYNTAX_ERROR, lines, 5), 2)
})

test('findUnclosedEntry() reads an entry with a million fields', () => {
  const lines = ['@book{one,', `${'a=1,'.repeat(1_000_000)}b={`, '@book{two, title = {T}}']
  assert.equal(findUnclosedEntry(SYNTAX_ERROR, lines, 3), 2)
})
