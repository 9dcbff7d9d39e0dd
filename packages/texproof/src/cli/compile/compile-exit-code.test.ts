import assert from 'node:assert/strict'
import { it } from 'node:test'

import type { CompileResult, LatexError, LatexWarning, RawPassLog } from '@texproof/platex'

import { compileExitCode } from './compile-exit-code.ts'

const error: LatexError = {
  type: 'error',
  file: 'main.tex',
  line: 3,
  message: 'Undefined',
  context: null,
  source: 'latex',
}
const warning: LatexWarning = { type: 'warning', code: 'other', file: null, line: null, message: 'Odd' }
const pass: RawPassLog = {
  passNumber: 1,
  engine: 'pdflatex',
  stdout: '',
  stderr: '',
  log: '',
  exitCode: -1,
  timedOut: true,
}
const good: CompileResult = { pdf: new Uint8Array(1), errors: [], warnings: [], logs: [] }
const plain = { allowErrors: false, maxWarnings: null }

it('compileExitCode() returns 0 for a PDF without errors', () => {
  assert.equal(compileExitCode({ ...good, warnings: [warning] }, plain), 0)
})

it('compileExitCode() returns 1 without a PDF, even with errors allowed', () => {
  assert.equal(compileExitCode({ ...good, pdf: null, errors: [error] }, { ...plain, allowErrors: true }), 1)
})

it('compileExitCode() returns 3 for a PDF with errors and 0 if errors are allowed', () => {
  const result = { ...good, errors: [error] }
  assert.deepEqual([compileExitCode(result, plain), compileExitCode(result, { ...plain, allowErrors: true })], [3, 0])
})

it('compileExitCode() returns 4 if a pass timed out', () => {
  assert.equal(compileExitCode({ ...good, pdf: null, errors: [error], logs: [pass] }, plain), 4)
})

it('compileExitCode() returns 8 above the allowed warnings, but not at the limit', () => {
  const result = { ...good, warnings: [warning, warning] }
  const codes = [1, 2].map((maxWarnings) => compileExitCode(result, { ...plain, maxWarnings }))
  assert.deepEqual(codes, [8, 0])
})
