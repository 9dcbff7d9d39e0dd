import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderChange } from './render-change.ts'

const view = { bytes: new Uint8Array(), isWhole: false, isSplit: false, file: null, hasWords: false }

function shown(paths: readonly string[]): readonly [shown: number, all: number] {
  const files = paths.map((path) => ({ oldPath: path, path, added: 1, removed: 0 }))
  const { files: rendered, fileCount } = renderChange({ ...view, files })
  return [rendered.length, fileCount]
}

test('at most 300 files of a change are shown', () => {
  assert.deepEqual(shown(Array.from({ length: 400 }, (_, n) => `sections/part-${n}.tex`)), [300, 400])
})

test('files whose paths would make a page of megabytes are not shown', () => {
  assert.deepEqual(shown(Array.from({ length: 100 }, (_, n) => `${'d/'.repeat(1_000)}${n}`)), [24, 100])
})
