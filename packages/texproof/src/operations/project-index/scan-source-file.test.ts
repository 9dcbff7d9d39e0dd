import assert from 'node:assert/strict'
import { test } from 'node:test'

import { scanSourceFiles } from './scan-source-file.ts'

const nothing = {
  isRoot: false,
  labels: [],
  sections: [],
  citations: [],
  inputs: [],
  commands: [],
  environments: [],
  packages: [],
  languages: '',
}

test('a source is scanned for labels, sections, inputs and definitions', () => {
  const text = String.raw`\documentclass[ngerman]{article}
\usepackage[utf8]{inputenc,amsmath}
\newcommand{\tide}[1]{#1}
\newtheorem{law}{Law}
\begin{document}
\section[Short]{The \emph{high} \texorpdfstring{$T_{2}$}{tide}\label{sec:high}}
% \label{no}
\begin{figure}
  \caption{A {curve}}
  \label{fig:curve}
\end{figure}
\label{eq:one}
\verb|\label{verbatim}|
\input{chapters/ebb}
\end{document}
\label{after}`
  assert.deepEqual(scanSourceFiles([{ path: 'main.tex', text }]), [
    {
      ...nothing,
      path: 'main.tex',
      isRoot: true,
      labels: [
        { name: 'sec:high', context: 'The high tide', line: 6 },
        { name: 'fig:curve', context: 'A curve', line: 10 },
        { name: 'eq:one', context: 'The high tide', line: 12 },
      ],
      sections: [{ level: 2, title: 'The high tide', line: 6 }],
      inputs: [{ target: 'chapters/ebb', line: 14 }],
      commands: ['tide'],
      environments: ['law'],
      packages: ['inputenc', 'amsmath'],
      languages: '\\documentclass[ngerman]',
    },
  ])
})

test('a bibliography is scanned for author, year and title', () => {
  const text = `@comment{x, a = {b}}
@Article{smith20,
  author = {Smith, Anna and Ben Jones},
  title = "The {M}oon",
  year = 2020,
}
@book{lee, editor = {Lee}, date = {1999-05-01}, title = {A <b>title</b>}}
`
  assert.deepEqual(scanSourceFiles([{ path: 'refs.bib', text }]), [
    {
      ...nothing,
      path: 'refs.bib',
      citations: [
        { key: 'smith20', author: 'Smith and Ben Jones', year: '2020', title: 'The Moon', line: 2 },
        { key: 'lee', author: 'Lee', year: '1999', title: 'A <b>title</b>', line: 7 },
      ],
    },
  ])
})

test('hostile files give an index that is bounded for all of them together', () => {
  const texts = ['\\label{a}', '\\section{', '\\usepackage[', '\\caption[', '\\newcommand{'].map((part) =>
    part.repeat(500_000 / part.length),
  )
  const bibs = ['@a{b,', '@a{b, title = {', ' title = {{{{'].map((part) => `\n${part}`.repeat(500_000 / part.length))
  const indexes = scanSourceFiles([
    ...texts.map((text, at) => ({ path: `${at}.tex`, text })),
    ...bibs.map((text, at) => ({ path: `${at}.bib`, text })),
  ])
  const counts = indexes.map((index) => index.labels.length + index.sections.length + index.citations.length)
  assert.deepEqual(counts, [5_000, 5_000, 0, 0, 0, 5_000, 0, 0])
})
