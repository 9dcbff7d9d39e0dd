import assert from 'node:assert/strict'
import { test } from 'node:test'

import { fillPaperStart, paperStartNames, parsePaperStart } from './paper-starts.ts'

test('every template has its title and author filled in as plain text, and no placeholders left', () => {
  for (const start of paperStartNames) {
    const files = fillPaperStart(start, { title: '100% \\of $& {it}', author: 'A & B' })
    const all = [...files.values()].join('')
    assert.doesNotMatch(all, /<<|100% /, start)
    assert.match(all, /A \\& B/, start)
    assert.ok([...files.keys()].every((name) => /^[\w.-]+$/.test(name)))
  }
})

test('a template is found only by its own name', () => {
  assert.deepEqual(['article', 'Article', '', 'toString', '../papers'].map(parsePaperStart), [
    'article',
    null,
    null,
    null,
    null,
  ])
})
