import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { compareUtf8 } from './compare-utf8.ts'

test('compareUtf8() sorts by UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'Z', '/', 'é', '\u{e000}', '\u{ffff}', '\u{1f600}', '\u{10ffff}'),
  })
  fc.assert(
    fc.property(text, text, (left, right) => {
      assert.equal(Math.sign(compareUtf8(left, right)), Buffer.compare(Buffer.from(left), Buffer.from(right)))
    }),
  )
})

test('compareUtf8() sorts an emoji after the private use area, like git', () => {
  assert.deepEqual(['\u{1f600}', '\u{e000}', 'b', 'B'].sort(compareUtf8), ['B', 'b', '\u{e000}', '\u{1f600}'])
})
