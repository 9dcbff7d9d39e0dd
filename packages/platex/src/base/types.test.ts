import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { CompileResult, LatexError, LatexWarning, RawPassLog } from './types.ts'

test('the lists of a result are arrays of the types of the specification', () => {
  const result: CompileResult = { pdf: null, errors: [], warnings: [], logs: [] }
  // The type check compares the declarations.
  const errors: LatexError[] = result.errors
  const warnings: LatexWarning[] = result.warnings
  const logs: RawPassLog[] = result.logs
  assert.deepEqual([errors, warnings, logs], [[], [], []])
})
