import assert from 'node:assert/strict'
import { test } from 'node:test'

import { normalizeText } from './normalize-text.ts'

test('a text is normalized, except for one with more combining marks in a row than any language has', () => {
  const usual = `e${'\u0301'.repeat(30)}`
  const hostile = `e${'\u0301\u0323'.repeat(100_000)}`
  assert.deepEqual(
    [normalizeText('Mo\u0308we'), normalizeText('\ufb01', 'NFKD'), normalizeText(usual), normalizeText(hostile)],
    ['M\u00f6we', 'fi', usual.normalize('NFC'), hostile],
  )
})
