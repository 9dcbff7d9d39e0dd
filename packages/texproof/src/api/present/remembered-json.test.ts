import assert from 'node:assert/strict'
import { test } from 'node:test'

import { rememberedJson } from './remembered-json.ts'

test('rememberedJson() presents each variant of an object once', () => {
  const thing = {}
  const texts = ['a', 'b', 'a', 'b'].map((variant, index) => rememberedJson(thing, variant, () => ({ variant, index })))
  assert.deepEqual(texts, [
    '{"variant":"a","index":0}',
    '{"variant":"b","index":1}',
    '{"variant":"a","index":0}',
    '{"variant":"b","index":1}',
  ])
})

test('rememberedJson() presents equal objects separately', () => {
  const texts = [1, 2].map((number) => rememberedJson({}, 'a', () => number))
  assert.deepEqual(texts, ['1', '2'])
})
