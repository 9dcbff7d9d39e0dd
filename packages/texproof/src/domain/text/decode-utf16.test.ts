import assert from 'node:assert/strict'
import { test } from 'node:test'

import { decodeUtf16 } from './decode-utf16.ts'

test('decodeUtf16() decodes both byte orders, and no other file', () => {
  const little = Buffer.from('\uFEFFFlüsse', 'utf16le')
  const files = [little, Buffer.from(little).swap16(), Buffer.from('\uFEFFFlüsse'), Buffer.of(0xff), Buffer.of()]
  assert.deepEqual(files.map(decodeUtf16), ['Flüsse', 'Flüsse', null, null, null])
})
