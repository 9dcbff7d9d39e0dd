import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parsePatch } from './parse-patch.ts'

test('parsePatch() numbers the lines of both sides', () => {
  const patch = [
    'diff --git a/main.tex b/main.tex',
    'index 1..2 100644',
    '--- a/main.tex',
    '+++ b/main.tex',
    '@@ -2,2 +2,2 @@ \\section{Tides}',
    ' kept',
    '-old',
    '+new',
    '\\ No newline at end of file',
    '',
  ].join('\n')
  assert.deepEqual(parsePatch(patch), [
    {
      oldPath: 'main.tex',
      newPath: 'main.tex',
      isBinary: false,
      hunks: [
        {
          heading: '@@ -2,2 +2,2 @@ \\section{Tides}',
          lines: [
            { kind: 'kept', oldLine: 2, newLine: 2, text: 'kept' },
            { kind: 'removed', oldLine: 3, newLine: null, text: 'old' },
            { kind: 'added', oldLine: null, newLine: 3, text: 'new' },
          ],
        },
      ],
    },
  ])
})

test('parsePatch() does not mistake a line of a file for a header', () => {
  const lines = ['diff --git a/x b/x', 'new file mode 100644', '@@ -0,0 +1,2 @@', '+@@ -1 +1 @@', '+diff --git a/y b/y']
  assert.deepEqual(
    parsePatch(lines.join('\n')).map(({ oldPath, newPath, hunks }) => [oldPath, newPath, hunks[0]?.lines.length]),
    [[null, 'x', 2]],
  )
})

test('parsePatch() recognizes renamed, removed and binary files', () => {
  const text = [
    'diff --git a/a b.tex b/c.tex',
    'similarity index 100%',
    'rename from a b.tex',
    'rename to c.tex',
    'diff --git a/d e.png b/d e.png',
    'deleted file mode 100644',
    'Binary files a/d e.png and /dev/null differ',
    '',
  ].join('\n')
  assert.deepEqual(parsePatch(text), [
    { oldPath: 'a b.tex', newPath: 'c.tex', isBinary: false, hunks: [] },
    { oldPath: 'd e.png', newPath: null, isBinary: true, hunks: [] },
  ])
})
