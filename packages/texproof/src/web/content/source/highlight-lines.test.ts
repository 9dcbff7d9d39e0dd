import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { escapeHtml } from '../escape-html.ts'
import { LANGUAGES, findLanguage } from './find-language.ts'
import { highlightLines, splitMarkedLines } from './highlight-lines.ts'

/** What a browser would show of a line, when nothing but the highlighter's own tags is in it. */
function readLine(line: string): string {
  return line.replaceAll(/<\/?(?:b|em|i|u|var)>/g, '')
}

test('highlightLines colours LaTeX, line by line', () => {
  assert.deepEqual(highlightLines('\\emph{a} % <b>\n50\\%\n', 'latex'), [
    '<b>\\emph</b>{a} <i>% &lt;b&gt;</i>',
    '50<b>\\%</b>',
    '',
  ])
})

test('highlightLines knows entries, keys, fields and values of BibTeX', () => {
  assert.deepEqual(highlightLines('@book{smith-2020,\n  title = {The {DNA}},\n  year = 2020\n}', 'bibtex'), [
    '<b>@book</b>{<var>smith-2020</var>,',
    '  <var>title</var> = <em>{The <em>{DNA}</em>}</em>,',
    '  <var>year</var> = <u>2020</u>',
    '}',
  ])
})

test('splitMarkedLines closes at the end of a line what it opens again in the next', () => {
  assert.deepEqual(splitMarkedLines('a<i>b\nc<var>d\n</var></i>e'), [
    'a<i>b</i>',
    '<i>c<var>d</var></i>',
    '<i><var></var></i>e',
  ])
})

test('Colours change nothing that is read, in any language', () => {
  const text = fc
    .array(
      fc.constantFrom('\\begin{a}', '{', '}', '<script>', '"', "'", '\n', '%', '$', '@book{', 'a = ', '/*', '\\', '&'),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.constantFrom(...LANGUAGES), (source, language) => {
      const shown = highlightLines(source, language).map((line) => readLine(line).replaceAll('&#x27;', '&#39;'))
      assert.deepEqual(shown, source.split('\n').map(escapeHtml))
    }),
    { numRuns: 400 },
  )
})

test('findLanguage goes by the end of the name', () => {
  const names = [
    'a/main.TEX',
    'refs.bib',
    'x.sty',
    'plot.py',
    'Makefile',
    '.latexmkrc',
    'notes.txt',
    'README',
    '.gitignore',
  ]
  assert.deepEqual(names.map(findLanguage), [
    'latex',
    'bibtex',
    'latex',
    'python',
    'makefile',
    'perl',
    null,
    null,
    null,
  ])
})
