import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { findVerbatimEnvironments, splitSource } from './split-source.ts'
import { stripComments } from './strip-comments.ts'

const environments = findVerbatimEnvironments([])
const strip = (source: string): string => stripComments(source, environments)

test('stripComments() keeps the percent sign that hides a line break', () => {
  assert.equal(strip('Tides% hidden\nrise\n'), 'Tides%\nrise\n')
})

test('stripComments() removes lines that are only comments', () => {
  assert.equal(strip('A\n% one\n  % two\nB % three\n'), 'A\nB %\n')
})

test('stripComments() keeps an empty line between comments, which ends a paragraph', () => {
  assert.equal(strip('A\n% one\n\n% two\nB\n'), 'A\n\nB\n')
})

test('stripComments() keeps percent signs that start no comment', () => {
  const source = [
    'A 50\\% rise, a break \\\\',
    '\\verb|% code| and \\lstinline[language=C]!%d!',
    '\\begin{verbatim}\n% code\n\\end{verbatim}',
    '\\begin{lstlisting}[language=TeX]\n% code\n\\end{lstlisting}',
    '\\url{https://example.org/a%20b} \\href{https://example.org/%7E}{home}',
  ].join('\n')
  assert.equal(strip(source), source)
})

test('stripComments() removes a comment after a line break command', () => {
  assert.equal(strip('A \\\\% hidden\nB\n'), 'A \\\\%\nB\n')
})

test('stripComments() empties comment environments and drops what follows the document', () => {
  assert.equal(
    strip('A\n\\begin{comment}\nhidden\n\\end{comment}\n\\end{document}\nnotes of alice\n'),
    'A\n\\begin{comment}\n\\end{comment}\n\\end{document}\n',
  )
})

test('stripComments() keeps the contents of verbatim environments that the document defines', () => {
  const source = '\\lstnewenvironment{shell}{}{}\n\\begin{shell}\n% code\n\\end{shell}\n'
  assert.equal(stripComments(source, findVerbatimEnvironments([source])), source)
})

test('stripComments() keeps the comment that names the engine, and nothing beside it', () => {
  assert.equal(
    strip('% draft\n% !TeX program = lualatex\n% !TEX program = xelatex, as bob wants\n\\begin{document}\n'),
    '% !TeX program = lualatex\n\\begin{document}\n',
  )
})

test('stripComments() leaves a source alone that changes the percent sign', () => {
  const source = '\\catcode`\\%=12 50% % text\n'
  assert.equal(strip(source), source)
})

test('splitSource() loses nothing', () => {
  const piece = fc.constantFrom(
    '%',
    '\\',
    '\n',
    '{',
    '}',
    'verb|',
    '\\begin{verbatim}',
    '\\end{verbatim}',
    '\\url{',
    'a',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const source = pieces.join('')
      const parts = splitSource(source, environments)
      assert.equal(parts.map(({ text }) => text).join(''), source)
      assert.ok(parts.every(({ start, text }) => source.startsWith(text, start)))
    }),
  )
})
