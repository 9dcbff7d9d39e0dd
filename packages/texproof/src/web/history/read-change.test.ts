import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readChange } from './read-change.ts'

const one = { added: 1, removed: 1 }

test('readChange() keeps the lines of each file when another one became a symbolic link', () => {
  const text = [
    'diff --git a/a b/a\ndeleted file mode 100644\n--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    'diff --git a/a b/a\nnew file mode 120000\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of file\n',
    'diff --git a/z b/z\nindex 5626abf..f719efd 100644\n--- a/z\n+++ b/z\n@@ -1 +1 @@\n-one\n+two\n',
  ].join('')
  const files = ['a', 'z'].map((path) => ({ oldPath: path, path, ...one }))
  const change = readChange({ files, bytes: Buffer.from(text), isWhole: true })
  assert.deepEqual(
    change.map(({ path, state, hunks }) => [
      path,
      state,
      hunks?.flatMap(({ lines }) => lines.map((line) => line.text)),
    ]),
    [
      ['a', 'changed', ['x', 'z']],
      ['z', 'changed', ['one', 'two']],
    ],
  )
})

test('readChange() decodes files with different encodings', () => {
  const patch = (path: string) =>
    `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+Flüsse\n`
  const bytes = Buffer.concat([Buffer.from(patch('new')), Buffer.from(patch('old'), 'latin1')])
  const files = ['new', 'old'].map((path) => ({ oldPath: path, path, ...one }))
  const change = readChange({ files, bytes, isWhole: true })
  assert.deepEqual(
    change.map(({ hunks }) => hunks?.flatMap(({ lines }) => lines.map(({ text }) => text))),
    [['Flüsse'], ['Flüsse']],
  )
})
