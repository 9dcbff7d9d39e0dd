import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { readableLog } from './readable-log.ts'

test('readableLog() folds the output of loading and keeps what the document caused', () => {
  const log = [
    'This is pdfTeX, Version 3.141592653',
    '(/usr/share/texlive/texmf-dist/tex/latex/base/article.cls',
    'Document Class: article 2022/07/02 v1.4n Standard LaTeX document class',
    '\\c@part=\\count181',
    'LaTeX Font Info:    Checking defaults for OML/cmm/m/it on input line 2.',
    './main.tex:3: Undefined control sequence.',
    'l.3 We write \\foo',
    '',
    '[1]',
  ].join('\n')
  assert.deepEqual(
    readableLog(log).map(({ kind, lines }) => [kind, lines.length]),
    [
      ['message', 1],
      ['noise', 4],
      ['message', 4],
    ],
  )
})

test('readableLog() returns every line once and in order', () => {
  const line = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ')', '\\c@page=\\count1', 'LaTeX Warning: x'),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const log = lines.join('\n')
      assert.equal(
        readableLog(log)
          .flatMap((part) => part.lines)
          .join('\n'),
        log,
      )
    }),
  )
})

test('readableLog() folds file names, however many are on a line', () => {
  const names = `(/${'a.a/'.repeat(70)}a.a`
  assert.deepEqual(
    readableLog([names, names, `${names} )`, `${names} !`].join('\n')).map(({ kind, lines }) => [kind, lines.length]),
    [
      ['noise', 3],
      ['message', 1],
    ],
  )
})
