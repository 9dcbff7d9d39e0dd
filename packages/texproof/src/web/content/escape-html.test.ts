import assert from 'node:assert/strict'
import { test } from 'node:test'

import { escapeText } from './escape-html.ts'

test('markup in the text of an element is escaped, and quotes and other letters are not', () => {
  assert.equal(escapeText('<b title="é">a & b</b> \'𝕋\''), '&lt;b title="é"&gt;a &amp; b&lt;/b&gt; \'𝕋\'')
})

test('a text without markup is the same', () => {
  assert.equal(escapeText('"Tides", é\n'), '"Tides", é\n')
})
