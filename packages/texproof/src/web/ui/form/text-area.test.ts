import assert from 'node:assert/strict'
import { test } from 'node:test'

import { html } from 'hono/html'

import { textArea } from './text-area.ts'

test('the text of a field keeps its first newline and every character', async () => {
  const page = String(await textArea('\n</textarea>&amp;"é𝕋"', html`name="text"`))
  assert.equal(page, '<textarea name="text">\n\n&lt;/textarea&gt;&amp;amp;"é𝕋"</textarea>')
})
