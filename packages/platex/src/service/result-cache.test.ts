import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { CompileResult, RawPassLog } from '../base/types.ts'
import { createResultCache, type SharedOutcome } from './result-cache.ts'

const LOG: RawPassLog = {
  passNumber: 1,
  engine: 'pdflatex',
  stdout: '',
  stderr: '',
  log: '',
  exitCode: 0,
  timedOut: false,
}
const RESULT: CompileResult = { pdf: null, errors: [], warnings: [], logs: [LOG] }

/** The origin of the second of two equal requests. */
async function repeat(outcome: SharedOutcome): Promise<string> {
  const cache = createResultCache()
  const address = { owner: 'alice', key: 'paper' }
  const ask = () =>
    cache.answer(
      { address, isFresh: false, signal: new AbortController().signal, onProgress: undefined },
      async () => outcome,
    )
  await ask()
  return (await ask()).cache
}

describe('createResultCache', () => {
  test('keeps a result', async () => {
    assert.equal(await repeat({ result: RESULT, isComplete: true }), 'hit')
  })

  test('does not keep a result that the state of the machine has changed', async () => {
    assert.equal(await repeat({ result: RESULT, isComplete: false }), 'miss')
  })
})
