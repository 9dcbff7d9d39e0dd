import assert from 'node:assert/strict'
import { test } from 'node:test'

import { findDocumentLanguage, findProse } from './prose.browser.ts'

function wordsOf(source: string): readonly string[] {
  return [...findProse(source, 'en')].map(({ word, language }) => (language === 'en' ? word : `${language}:${word}`))
}

test('only words of the prose are checked', () => {
  const source = String.raw`\newcommand{\name}{no}
\begin{document}
\section{Tides} at \emph{sea} $no$ \(no\) % no
\cite[see][no]{no} \textcolor{no}{and} \url{no} \verb|no| \[no\]
\begin{align}no\end{align}\begin{verbatim}no\end{verbatim}\begin{tabular}{no}cell\end{tabular}
NASA x2 LaTeX a
\end{document} no`
  assert.deepEqual(wordsOf(source), ['Tides', 'at', 'sea', 'and', 'cell'])
})

test('accents that are commands are letters of their word, at its place', () => {
  const source = String.raw`Caf\'e na\"{\i}ve Stra{\ss}e hy\-phen don’t`
  assert.deepEqual(wordsOf(source), ['Café', 'naïve', 'Straße', 'hyphen', "don't"])
  const [, second] = findProse(source, 'en')
  assert.deepEqual(second, { from: 7, to: 17, word: 'naïve', language: 'en' })
})

test('commands and environments change the language', () => {
  const source = String.raw`one \foreignlanguage{ngerman}{zwei} three \begin{otherlanguage}{french}quatre\end{otherlanguage} five
\textgerman{sechs} \foreignlanguage{klingon}{none} {\selectlanguage{italian} sette} eight`
  assert.deepEqual(wordsOf(source), ['one', 'de:zwei', 'three', 'fr:quatre', 'five', 'de:sechs', 'it:sette', 'eight'])
})

test('the language of a document is the last one of babel or its class, or the one of polyglossia', () => {
  const sources = [
    String.raw`\usepackage[english, ngerman]{babel}`,
    String.raw`\usepackage[main=british,french]{babel}`,
    String.raw`\documentclass[11pt,ngerman]{scrartcl}\usepackage{babel}`,
    String.raw`\setmainlanguage[variant=uk]{english}`,
    String.raw`\usepackage[klingon]{babel}`,
  ]
  assert.deepEqual(sources.map(findDocumentLanguage), ['de', 'en-gb', 'de', 'en', ''])
})

test('hostile sources take time that is linear in their size', () => {
  for (const part of ['{', '$', '\\begin{a}', "'a", '\\SI{', '\\foo[', '\\"a', '\\verb|'])
    assert.ok(wordsOf(part.repeat(20_000)).length <= 20_000, part)
})
