import assert from 'node:assert/strict'
import { test } from 'node:test'

import { markDirection } from './mark-direction.ts'

test('markDirection() replaces each character by its code, and nothing else', () => {
  assert.deepEqual(['a\u202E b\u2069\u061C', '&lt;<b>שלום</b> Zoë\u00AD'].map(markDirection), [
    'a<mark>U+202E</mark> b<mark>U+2069</mark><mark>U+061C</mark>',
    '&lt;<b>שלום</b> Zoë\u00AD',
  ])
})
