import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { parseLatexmkrc } from './parse-latexmkrc.ts'
import { parseTexproofToml } from './parse-texproof-toml.ts'
import { scanTexSource } from './scan-tex-source.ts'

const words = fc.constantFrom(
  '\\usepackage[',
  '\\begin{verbatim}',
  '\\verb|',
  '%',
  '{',
  '}',
  ']',
  '\n',
  ' ',
  '\\input ',
  'a',
  '\\documentclass{',
  '=',
  "'",
  '@default_files = (',
)
const noise = fc.array(words, { maxLength: 200 }).map((parts) => parts.join(''))

test('scanTexSource(), parseLatexmkrc() and parseTexproofToml() accept any text', () => {
  fc.assert(
    fc.property(noise, (source) => {
      assert.equal(scanTexSource('a.tex', source).path, 'a.tex')
      parseLatexmkrc(source)
      parseTexproofToml(source)
    }),
  )
})

test('scanTexSource() reads a source that is designed to cause backtracking in linear steps', () => {
  const source = ['\\usepackage[', '\\begin{verbatim', '\\verb+', '% !TEX root = x   ']
    .map((part) => part.repeat(20_000))
    .join('\n')
  assert.deepEqual(scanTexSource('a.tex', source).packages, [])
})

test('scanTexSource() keeps an escaped percent sign and the text after it', () => {
  const { bibliographyLine } = scanTexSource('a.tex', '50\\% \\bibliography{refs}')
  assert.equal(bibliographyLine, 1)
})

test('scanTexSource() treats a percent sign after a line break command as a comment', () => {
  const { bibliographyLine } = scanTexSource('a.tex', 'end\\\\% \\bibliography{refs}')
  assert.equal(bibliographyLine, null)
})
