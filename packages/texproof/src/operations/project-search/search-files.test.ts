import assert from 'node:assert/strict'
import { test } from 'node:test'

import { replaceInFiles, searchFiles } from './search-files.ts'

const files = [
  { path: 'a.tex', text: 'Low tide.\n  The tide (low) falls, low.\n' },
  { path: 'b.bib', text: 'title = {Höhe 𝕋}\n' },
]
const plain = { text: 'low', isRegex: false, isCaseSensitive: false, replacement: '' }

test('searchFiles() finds text in any case, with its line', () => {
  assert.deepEqual(searchFiles({ files, query: plain }), {
    kind: 'found',
    isLimited: false,
    files: [
      {
        path: 'a.tex',
        version: '17c8dc200eaa485f',
        count: 3,
        matches: [
          { line: 1, before: '', matched: 'Low', after: ' tide.', replacement: '' },
          { line: 2, before: 'The tide (', matched: 'low', after: ') falls, low.', replacement: '' },
          { line: 2, before: 'The tide (low) falls, ', matched: 'low', after: '.', replacement: '' },
        ],
      },
    ],
  })
})

test('searchFiles() shows a part of a long line, with an ellipsis where it is cut', () => {
  const text = `${'a '.repeat(100)}low${' b'.repeat(200)}\n`
  const result = searchFiles({ files: [{ path: 'a.tex', text }], query: plain })
  const [match] = result.kind === 'found' ? (result.files[0]?.matches ?? []) : []
  assert.deepEqual([match?.before, match?.after], [`…${'a '.repeat(30)}`, `${' b'.repeat(80)}…`])
})

test('searchFiles() searches literally unless the query is a regular expression', () => {
  const matched = (text: string, isRegex: boolean): readonly string[] => {
    const result = searchFiles({ files, query: { ...plain, text, isRegex, isCaseSensitive: true } })
    return result.kind === 'found' ? result.files.flatMap((file) => file.matches.map((match) => match.matched)) : []
  }
  assert.deepEqual(
    [matched('(low)', false), matched('(low)', true), matched('^.', true), matched('{H.*?\\s.', true)],
    [['(low)'], ['low', 'low'], ['L', ' ', 't'], []],
  )
  assert.deepEqual([matched('\\{H.*?\\s.', true), matched('tide\\.\\n', true)], [['{Höhe 𝕋'], ['tide.\n']])
})

test('searchFiles() returns the reason why a pattern is invalid', () => {
  assert.deepEqual(searchFiles({ files, query: { ...plain, text: '(low', isRegex: true } }), {
    kind: 'invalid-pattern',
    reason: 'Unterminated group',
  })
})

test('replaceInFiles() inserts groups, and never matches of no length', () => {
  const query = { text: '(?<first>l)(o)w|x*', isRegex: true, isCaseSensitive: true, replacement: '$2$<first>$&$$$7' }
  const [replaced, ...others] = replaceInFiles({ files, query })
  assert.deepEqual(
    [replaced?.text, replaced?.count, others],
    ['Low tide.\n  The tide (ollow$$7) falls, ollow$$7.\n', 2, []],
  )
})

test('replaceInFiles() inserts the text of a plain replacement as it is', () => {
  const [replaced] = replaceInFiles({ files, query: { ...plain, replacement: '$&' } })
  assert.equal(replaced?.text, '$& tide.\n  The tide ($&) falls, $&.\n')
})

test('replaceInFiles() stops when a text becomes too long', () => {
  const text = 'a'.repeat(10_000)
  const query = { text: 'a', isRegex: false, isCaseSensitive: true, replacement: 'b'.repeat(1_000) }
  assert.equal(replaceInFiles({ files: [{ path: 'a.tex', text }], query })[0]?.text, null)
})
