import assert from 'node:assert/strict'
import { test } from 'node:test'

import { countWords } from './count-words.ts'

const count = (text: string, others: Readonly<Record<string, string>> = {}) =>
  countWords({
    rootFile: 'main.tex',
    files: Object.entries({ 'main.tex': text, ...others }).map(([path, source]) => ({ path, text: source })),
  })

test('words are counted by section, across inputs, without preamble, formulas, tables and citations', () => {
  const text = String.raw`\documentclass[a4paper]{article}
\title{Not counted}
\begin{document}
Two words. % not these
\section[Short]{The \emph{high} tide}\label{sec:high}
We write $a + b$ and \cite[p.~3]{smith} here\footnote{A note, see~\ref{x}.}.
\begin{equation} x = y \end{equation}
\begin{table}[ht]\caption{One table}\begin{tabular}{ll} a & b \end{tabular}\end{table}
\input{ebb}
\subsection*{End}
\begin{minipage}{3cm}inside \textbf{bold}\end{minipage}
\end{document}
after`
  assert.deepEqual(count(text, { 'ebb.tex': '\\section{Ebb}\nIt falls--slowly.\n' }), {
    total: { text: 11, headings: 5, notes: 5 },
    sections: [
      { title: '', level: 0, text: 2, headings: 0, notes: 0 },
      { title: 'The high tide', level: 2, text: 4, headings: 3, notes: 5 },
      { title: 'Ebb', level: 2, text: 3, headings: 1, notes: 0 },
      { title: 'End', level: 3, text: 2, headings: 1, notes: 0 },
    ],
  })
})

for (const [text, words] of [
  ['na\\"{\\i}ve G\\"odel stra\\ss e', 3],
  ["don't well-known 3.14 e.g. U.S.", 5],
  ['潮が満ちる tide', 6],
  ['a\\\\b\\&c~d', 4],
  ['5\\$ and 6\\$', 3],
  ['a $ stray\n\nsign', 3],
  ['\\verb|not this| but this', 2],
] as const)
  test(`"${text.replaceAll('\n', '↵')}" has ${words} words`, () => assert.equal(count(text).total.text, words))

test('a hostile text has no words', () => {
  const parts = ['\\cite{', '\\(', '$', '\\section{', '\\begin{align}', '{', '\\x[', '\\input{main}']
  const totals = parts.map((part) => count(part.repeat(400_000 / part.length)).total.text)
  assert.deepEqual(
    totals,
    parts.map(() => 0),
  )
})
