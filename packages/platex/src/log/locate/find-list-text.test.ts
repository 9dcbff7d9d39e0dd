import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLog } from '../parse-log.ts'

/** The line of the error about a list without `\item` that TeX reports at `reported`. */
function lineOf(lines: readonly string[], reported: number): number | null | undefined {
  const log = [
    'This is pdfTeX',
    '(./main.tex',
    '',
    "! LaTeX Error: Something's wrong--perhaps a missing \\item.",
    '',
    'See the LaTeX manual or LaTeX Companion for explanation.',
    'Type  H <return>  for immediate help.',
    ' ...                                              ',
    '                                                  ',
    `l.${reported} ${lines[reported - 1] ?? ''}`,
    '                                ',
    ')',
    '',
  ].join('\n')
  return parseLog(log, { rootFile: 'main.tex', sources: new Map([['main.tex', lines.join('\n')]]) }).errors[0]?.line
}

const list = ['\\begin{itemize}', '\\item good', '\\end{itemize}']

const cases: readonly (readonly [title: string, lines: readonly string[], reported: number, line: number])[] = [
  ['keeps the line of an empty list', ['x', '\\begin{itemize}\\end{itemize}', '', 'Text.'], 2, 2],
  ['keeps the line of an empty list before another one', ['\\begin{description}\\end{description}', ...list], 1, 1],
  ['keeps the line of an empty list in another one', ['\\begin{itemize}\\item a', 'b', '\\macro', '\\end{itemize}'], 3, 3],
  ['finds the beginning of an empty list over lines', ['x', '\\begin{itemize}', '', '\\end{itemize}', 'y'], 4, 2],
  ['finds the text before the first item', ['\\begin{itemize}', '', 'Text.', '\\item a', '\\end{itemize}'], 4, 3],
  ['finds the text of a list without items', ['\\begin{itemize}', 'Text.', 'More.', '\\end{itemize}'], 4, 2],
  ['keeps the line of a list before the first item', ['\\begin{itemize}', '\\begin{itemize} \\item a'], 2, 2],
] // prettier-ignore

describe('findListText', () => {
  for (const [title, lines, reported, line] of cases) {
    it(title, () => {
      assert.equal(lineOf(lines, reported), line)
    })
  }
})
