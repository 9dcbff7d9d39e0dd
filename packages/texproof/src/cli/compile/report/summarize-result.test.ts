import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { CompileResult, RawPassLog } from '@texproof/platex'

import { summarizeResult } from './summarize-result.ts'

const pass: RawPassLog = {
  passNumber: 1,
  engine: 'pdflatex',
  stdout: '',
  stderr: '',
  log: '',
  exitCode: 0,
  timedOut: false,
}

it('summarizeResult() shows pages, size, time, passes and the path of the PDF', () => {
  const logs = [pass, { ...pass, engine: 'bibtex' as const }, pass, pass]
  const result: CompileResult = { pdf: new Uint8Array(1_234_567), errors: [], warnings: [], logs, pages: 14 }
  assert.equal(
    summarizeResult(result, { durationMs: 3_901, output: 'main.pdf' }),
    '✓ 14 pages  1.2 MB  3.9 s  (pdflatex ×3, bibtex)  → main.pdf',
  )
})

it('summarizeResult() without a PDF counts problems and says where to look', () => {
  const error = { type: 'error', file: null, line: null, message: 'x', context: null, source: 'latex' } as const
  const warning = { type: 'warning', code: 'other', file: null, line: null, message: 'y' } as const
  const result: CompileResult = { pdf: null, errors: [error], warnings: [warning, warning], logs: [pass] }
  assert.equal(
    summarizeResult(result, { durationMs: 1_100, output: null }),
    '✗ no PDF. 1 error, 2 warnings in 1.1 s.   Full log: --log -     Explain: --explain',
  )
})
