import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import type { CompileResult, RawPassLog } from '../base/types.ts'
import { INSPECTION_BUSY } from '../compile/inspect.ts'
import { createResultCache } from './result-cache.ts'

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
async function repeat(result: CompileResult): Promise<string> {
  const cache = createResultCache()
  const address = { owner: 'alice', key: 'paper' }
  const ask = () =>
    cache.answer(
      { address, isFresh: false, signal: new AbortController().signal, onProgress: undefined },
      async () => result,
    )
  await ask()
  return (await ask()).cache
}

describe('createResultCache', () => {
  test('keeps a result', async () => {
    assert.equal(await repeat(RESULT), 'hit')
  })

  test('does not keep a timeout', async () => {
    assert.equal(await repeat({ ...RESULT, logs: [{ ...LOG, exitCode: -1, timedOut: true }] }), 'miss')
  })

  for (const [name, report] of [
    [
      'diagnostics',
      {
        errors: [
          { type: 'error', file: null, line: null, message: INSPECTION_BUSY, context: null, source: 'latex' } as const,
        ],
      },
    ],
    ['logs', { logs: [] }],
  ] as const) {
    test(`does not keep a result whose ${name} could not be read beside other compiles`, async () => {
      assert.equal(await repeat({ ...RESULT, ...report }), 'miss')
    })
  }
})
