import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { findDocumentTitle } from './document-title.ts'

const TITLES: readonly (readonly [source: string, title: string | null])[] = [
  [String.raw`\title{Tides in Narrow Channels}`, 'Tides in Narrow Channels'],
  [String.raw`\title[Short]{A {Long} Title}`, 'A Long Title'],
  ['\\title{Two\\\\ lines, %here\n and a third}', 'Two lines, and a third'],
  [String.raw`\title{On \emph{Small} Waves\thanks{Paid by \textbf{nobody}.}}`, 'On Small Waves'],
  [String.raw`\title{\bfseries Stra\ss en}`, null],
  [String.raw`\title{{\LARGE Gezeiten in der N\"ahe von D\'{e}sir}}`, 'Gezeiten in der Nähe von Désir'],
  [String.raw`\title{The $\zeta$ function}`, null],
  [String.raw`\title{The \texorpdfstring{$\zeta_{1}$}{zeta} function}`, 'The zeta function'],
  [String.raw`\title{The \texorpdfstring{$\zeta$} function}`, null],
  ["\\title{Cats \\& Dogs -- a ``study''}", 'Cats & Dogs – a “study”'],
  ['% \\title{Old}\n\\title{New}', 'New'],
  [String.raw`\titlepage \section{No title}`, null],
  [String.raw`\title{never closed`, null],
  [String.raw`\title{ }`, null],
]

for (const [source, title] of TITLES)
  test(`findDocumentTitle() of ${JSON.stringify(source)} is ${JSON.stringify(title)}`, () => {
    assert.equal(findDocumentTitle(source), title)
  })

test('findPaperTitle() returns text or null for any input', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('\\title{', '}', '{', '\\thanks{', '\\\\', '%', '\\"a', '$', '\n'),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const title = findDocumentTitle(pieces.join(''))
      assert.ok(title === null || (title.trim() === title && title !== '' && !/[\\{}$\n]/.test(title)))
    }),
  )
})
