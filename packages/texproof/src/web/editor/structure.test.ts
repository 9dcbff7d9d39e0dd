import assert from 'node:assert/strict'
import { test } from 'node:test'

import { Text } from '@codemirror/state'

import { hasLoneEnd, needsEnd, readStructure } from './structure.browser.ts'

const toText = (source: string): Text => Text.of(source.split('\n'))

/** Marks as `name from-to>pair`, headings as `level from>until`. */
function describe(doc: Text): readonly string[] {
  const { marks, headings } = readStructure(doc)
  return [
    ...marks.map(({ kind, name, from, to, pair }) => `${kind} ${name} ${from}-${to}>${pair?.from ?? ''}`),
    ...headings.map(({ level, from, until }) => `${level} ${from}>${until ?? ''}`),
  ]
}

test('environments are paired, and sections end at the next one of their level', () => {
  const source = String.raw`\begin{a}\begin{b}\end{a}
\section{One} % \begin{a}
\subsection{Two} \\begin{a}
\section{Three}\end{document}
\end{c}`
  assert.deepEqual(describe(toText(source)), [
    'begin a 0-9>18',
    'begin b 9-18>',
    'end a 18-25>0',
    'end document 95-109>',
    'end c 110-117>',
    '2 26>80',
    '3 52>80',
    '2 80>95',
  ])
})

test('verbatim text ends at its \\end, even in what looks like a comment', () => {
  const source = String.raw`\begin{verbatim}
\begin{a} \section{No}
% \end{verbatim}
\begin{a}% \end{verbatim}`
  assert.deepEqual(describe(toText(source)), ['begin verbatim 0-16>42', 'end verbatim 42-56>0', 'begin a 57-66>'])
})

test('a change of a long text gives the same structure as the whole text', () => {
  const chapter = Array.from(
    { length: 900 },
    (_, at) => String.raw`\section{${at}} \begin{equation} x \end{equation} $y$ % \begin{no}`,
  ).join('\n')
  const changed = ['\\begin{verbatim}', 'Text\n\\begin{equation}\n', '\\end{verbatim}'].reduce((doc, insert) => {
    const line = doc.line(Math.floor(doc.lines / 2) + insert.length)
    return doc.replace(line.from, line.from, toText(insert))
  }, toText(chapter))
  assert.deepEqual(describe(changed), describe(toText(changed.toString())))
})

test('a \\begin needs an \\end if it has taken the \\end of the environment around it', () => {
  const needs = (source: string): readonly boolean[] => {
    const doc = toText(source)
    const begins = readStructure(doc).marks.filter(({ kind }) => kind === 'begin')
    return begins.map((begin) => needsEnd(doc, begin))
  }
  assert.deepEqual(
    [
      needs(String.raw`\begin{a} \end{a} \begin{a} \end{a}`),
      needs(String.raw`\begin{a} \begin{a} \end{a}`),
      needs(String.raw`\begin{b} \begin{a} \end{a}`),
      needs('\\begin{a}\n\\section{Next}\n\\begin{a} \\end{a}'),
    ],
    [
      [false, false],
      [true, true],
      [true, false],
      [true, false],
    ],
  )
})

test('an \\end is alone if no \\begin before it has it', () => {
  const has = (source: string): boolean => hasLoneEnd(toText(source), 'a', 0)
  assert.deepEqual(
    [String.raw`x \end{a}`, String.raw`x \begin{a} \end{a}`, 'x\n\\section{Next}\n\\end{a}', 'x'].map(has),
    [true, false, false, false],
  )
})
