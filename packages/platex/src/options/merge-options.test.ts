import assert from 'node:assert/strict'
import { test } from 'node:test'

import { mergeOptions } from './merge-options.ts'

test('mergeOptions overrides the defaults with the call, headers and limits by name', () => {
  const merged = mergeOptions(
    { engine: 'xelatex', timeout: 1, headers: { a: '1', b: '1' }, limits: { maxFilesCount: 1, maxSourceBytes: 1 } },
    { timeout: 2, headers: { b: '2' }, limits: { maxFilesCount: 2 } },
  )
  assert.deepEqual(merged, {
    engine: 'xelatex',
    timeout: 2,
    headers: { a: '1', b: '2' },
    limits: { maxFilesCount: 2, maxSourceBytes: 1 },
  })
})

test('mergeOptions treats undefined as absent', () => {
  const call: object = { engine: undefined, limits: undefined }
  assert.deepEqual(mergeOptions({ engine: 'lualatex', limits: { maxFilesCount: 1 } }, call), {
    engine: 'lualatex',
    limits: { maxFilesCount: 1 },
  })
})

test('mergeOptions ignores defaults for options of a single call', () => {
  const config: object = { retry: 1, files: { 'a.tex': new Uint8Array() }, signal: AbortSignal.abort() }
  assert.deepEqual(mergeOptions(config, {}), { retry: 1 })
})
