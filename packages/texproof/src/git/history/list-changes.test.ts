import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseChanges } from './list-changes.ts'

const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
const none = '0'.repeat(40)

test('the kinds of files, and what is missing before or after, are read from git', () => {
  const output = [
    `:100644 100755 ${one} ${one} M\0a b.tex\0`,
    `:000000 120000 ${none} ${two} A\0link\0`,
    `:160000 000000 ${one} ${none} D\0folder/module\0`,
  ].join('')
  assert.deepEqual(parseChanges(output), [
    { path: 'a b.tex', before: { kind: 'file', objectId: one }, after: { kind: 'executable', objectId: one } },
    { path: 'link', before: null, after: { kind: 'symlink', objectId: two } },
    { path: 'folder/module', before: { kind: 'submodule', objectId: one }, after: null },
  ])
})

test('no output is no change, and more than 5,000 paths are not listed', () => {
  const entry = `:100644 100644 ${one} ${two} M\0a\0`
  assert.deepEqual(parseChanges(''), [])
  assert.equal(parseChanges(entry.repeat(5_000))?.length, 5_000)
  assert.equal(parseChanges(entry.repeat(5_001)), null)
})
