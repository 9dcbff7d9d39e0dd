import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { LatexError, LatexWarning } from '@texproof/platex'

import { presentErrorGroup, presentProblem } from './present-problem.ts'

const error: LatexError = {
  type: 'error',
  file: 'sections/intro.tex',
  line: 31,
  message: 'Undefined control sequence: \\foo',
  context: 'l.31 We write \\foo\n           as',
  source: 'latex',
}
const sources: Record<string, string> = { 'sections/intro.tex:31': 'We write \\foo as the depth' }
const readLine = (file: string, line: number): string | null => sources[`${file}:${line}`] ?? null

it('presentProblem() shows the line of an error and marks the macro of the message', () => {
  assert.equal(
    presentProblem(error, { readLine, explain: false }),
    [
      '✗ sections/intro.tex:31:10  Undefined control sequence: \\foo',
      '    31 │ We write \\foo as the depth',
      '       │          ^^^^',
    ].join('\n'),
  )
})

it('presentProblem() adds the surrounding log with --explain', () => {
  const shown = presentProblem({ ...error, file: null, line: null }, { readLine, explain: true })
  assert.equal(shown, '✗ Undefined control sequence: \\foo\n    l.31 We write \\foo\n               as')
})

it('presentProblem() shows the line without a mark if the message names nothing in it', () => {
  const shown = presentProblem({ ...error, message: 'Missing $ inserted' }, { readLine, explain: false })
  assert.equal(shown, '✗ sections/intro.tex:31  Missing $ inserted\n    31 │ We write \\foo as the depth')
})

it('presentProblem() prints a warning on one line', () => {
  const warning = {
    type: 'warning',
    code: 'undefined-reference',
    file: 'main.tex',
    line: 4,
    message: "Reference `a' undefined",
  } as const
  assert.equal(presentProblem(warning, { readLine, explain: true }), "⚠ main.tex:4  Reference `a' undefined")
})

it('presentProblem() shows the column of a warning only where braces contain the name', () => {
  const lines = [
    'As a fig shows, see \\ref{fig}.',
    'A fig, \\cite{config, fig,figs}',
    'As a, fig, shows \\ref{figs}',
    '\\label{fig:a}\\textbf{see \\ref{ fig }}',
  ]
  const warning = { type: 'warning', code: 'undefined-reference', file: 'a.tex', message: "Reference `fig' undefined" }
  assert.deepEqual(
    lines.map((_, index) =>
      presentProblem({ ...warning, line: index } as LatexWarning, {
        readLine: (_file, line) => lines[line] ?? null,
        explain: false,
      }),
    ),
    ['0:26', '1:22', '2', '3:32'].map((place) => `⚠ a.tex:${place}  Reference \`fig' undefined`),
  )
})

it('presentProblem() marks the whole macro of the message, not a longer one', () => {
  const shown = presentProblem(error, { readLine: () => '\\foobar \\foo', explain: false })
  assert.equal(shown.split('\n')[0], '✗ sections/intro.tex:31:9  Undefined control sequence: \\foo')
})

it('presentProblem() ends with the remedy, for an error and a warning', () => {
  const remedy = 'Install biber on the machine that compiles: sudo apt-get install biber'
  const warning = { type: 'warning', code: 'other', file: null, line: null, message: 'No biber', remedy } as const
  assert.deepEqual(
    [{ ...error, file: null, remedy }, warning].map((problem) => presentProblem(problem, { readLine, explain: false })),
    [`✗ 31  Undefined control sequence: \\foo\n    → ${remedy}`, `⚠ No biber\n    → ${remedy}`],
  )
})

it('presentProblem() shows the column of an error, its summary and its remedy', () => {
  const explained = {
    ...error,
    message: 'Missing $ inserted.',
    column: 4,
    summary: '"_" is math.',
    remedy: 'Write \\_.',
  }
  assert.equal(
    presentProblem(explained, { readLine, explain: false }),
    [
      '✗ sections/intro.tex:31:4  Missing $ inserted.',
      '    31 │ We write \\foo as the depth',
      '       │    ^',
      '    "_" is math.',
      '    → Write \\_.',
    ].join('\n'),
  )
})

it('presentErrorGroup() counts the errors that follow, and shows them with --explain', () => {
  const plain = { ...error, file: null, line: null, context: null }
  const group = { error: plain, followers: [{ ...plain, message: 'Missing } inserted.' }] }
  assert.deepEqual(
    [false, true].map((explain) => presentErrorGroup(group, { readLine, explain }).split('\n').slice(1)),
    [['    and 1 error that follows from it'], ['    and 1 error that follows from it', '✗ Missing } inserted.']],
  )
})
