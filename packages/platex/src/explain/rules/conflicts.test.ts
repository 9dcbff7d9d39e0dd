import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LatexError } from '../../base/types.ts'
import { explainDiagnostic } from '../explain-diagnostic.ts'

const explain = (message: string, context: string): string | null => {
  const error: LatexError = { type: 'error', file: 'main.tex', line: 2, message, context, source: 'latex' }
  return explainDiagnostic(error)?.summary ?? null
}

test('explainDiagnostic() explains errors on the lines that git writes at a merge conflict', () => {
  assert.deepEqual(
    [
      explain('LaTeX Error: Missing \\begin{document}.', 'l.2 <\n      <<<<<< HEAD'),
      explain('LaTeX Error: Missing \\begin{document}.', 'l.4 =\n      ======'),
      explain('Missing $ inserted.', '<inserted text> \n                $\nl.9 >>>>>>> new_\n                model'),
    ],
    Array(3).fill('This line belongs to an unresolved merge conflict.'),
  )
})

test('explainDiagnostic() does not take other lines for a merge conflict', () => {
  assert.deepEqual(
    [
      explain('LaTeX Error: Missing \\begin{document}.', 'l.2 <\n      < HEAD'),
      explain('LaTeX Error: Missing \\begin{document}.', 'l.2 =\n      ========'),
    ],
    Array(2).fill('There is text before \\begin{document}.'),
  )
})

test('explainDiagnostic() explains a merge conflict that TeX accepts', () => {
  const message = 'Unresolved merge conflict in lines 2 to 6.'
  assert.deepEqual(explainDiagnostic({ type: 'warning', code: 'other', file: 'main.tex', line: 2, message }), {
    summary: 'Lines 2 to 6 contain both versions of an unresolved merge conflict.',
    remedy: 'Keep one of the two versions, and delete the lines with <<<<<<<, ======= and >>>>>>>.',
  })
})
