import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { escapeHtml } from '../escape-html.ts'
import { LANGUAGES, findLanguage } from './find-language.ts'
import { highlightLines, splitMarkedLines } from './highlight-lines.ts'

/** The text a browser shows of a line that contains only the highlighter's tags. */
function readLine(line: string): string {
  return line.replaceAll(/<\/?(?:b|em|i|strong|u|var)>/g, '')
}

test('highlightLines() highlights LaTeX line by line', () => {
  assert.deepEqual(highlightLines('\\emph{a} % <b>\n50\\%\n', 'latex'), [
    '<b>\\emph</b>{a} <i>% &lt;b&gt;</i>',
    '50<b>\\%</b>',
    '',
  ])
})

test('highlightLines() distinguishes environments, formulas, keys and titles of LaTeX', () => {
  assert.deepEqual(
    highlightLines(
      '\\section{On $x^2$}\\label{sec:a}\n\\begin{figure}[t]\nSee~\\cite[p.~3]{green}: \\(a_1\\).\n\\end{figure}\n\\[\n\\alpha\n\\]\n\\begin{align*}a&=\\begin{matrix}1\\end{matrix}\\end{align*} b',
      'latex',
    ),
    [
      '<strong><b>\\section</b>{On <u>$x^2$</u>}</strong><b>\\label</b>{<em>sec:a</em>}',
      '<b>\\begin</b>{<var>figure</var>}[t]',
      'See~<b>\\cite</b>[p.~3]{<em>green</em>}: <u>\\(a_1\\)</u>.',
      '<b>\\end</b>{<var>figure</var>}',
      '<u>\\[</u>',
      '<u><b>\\alpha</b></u>',
      '<u>\\]</u>',
      '<u><b>\\begin</b>{<var>align*</var>}a&amp;=<b>\\begin</b>{<var>matrix</var>}1<b>\\end</b>{<var>matrix</var>}<b>\\end</b>{<var>align*</var>}</u> b',
    ],
  )
})

test('highlightLines() ends an unclosed formula or title at a blank line, and does not change listings', () => {
  assert.deepEqual(
    highlightLines('\\section{On\n\nHalf $x\n\n50 % a\n\\begin{verbatim}\n$ \\x\n\\end{verbatim}', 'latex'),
    [
      '<strong><b>\\section</b>{On</strong>',
      '<strong></strong>',
      'Half <u>$x</u>',
      '<u></u>',
      '50 <i>% a</i>',
      '<b>\\begin</b>{<var>verbatim</var>}',
      '$ \\x',
      '<b>\\end</b>{<var>verbatim</var>}',
    ],
  )
})

test('highlightLines() highlights entries, keys, fields and values of BibTeX', () => {
  assert.deepEqual(highlightLines('@book{smith-2020,\n  title = {The {DNA}},\n  year = 2020\n}', 'bibtex'), [
    '<b>@book</b>{<var>smith-2020</var>,',
    '  <var>title</var> = <em>{The <em>{DNA}</em>}</em>,',
    '  <var>year</var> = <u>2020</u>',
    '}',
  ])
})

test('splitMarkedLines() closes tags at the end of a line and opens them again in the next', () => {
  assert.deepEqual(splitMarkedLines('a<i>b\nc<var>d\n</var></i>e'), [
    'a<i>b</i>',
    '<i>c<var>d</var></i>',
    '<i><var></var></i>e',
  ])
})

test('highlighting changes no text, in any language', () => {
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

test('findLanguage() uses the end of the name', () => {
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
