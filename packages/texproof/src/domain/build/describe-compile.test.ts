import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describeCompile } from './describe-compile.ts'

test('a started pass is described with the name of its program, as on every page', () => {
  assert.deepEqual(
    ['pdflatex', 'biber', 'unknown'].map((program) =>
      describeCompile({ kind: 'pass-started', passNumber: 2, program, reason: 'first pass' }),
    ),
    ['pass 2, pdfLaTeX', 'pass 2, Biber', 'pass 2, unknown'],
  )
})
