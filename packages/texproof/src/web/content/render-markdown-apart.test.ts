import assert from 'node:assert/strict'
import { test } from 'node:test'

import { renderMarkdownApart } from './render-markdown-apart.ts'

const place = { folder: '', blobPrefix: '/blob/', rawPrefix: '/raw/' }

test('renderMarkdownApart() gives every text its own answer', async () => {
  const texts = ['one', 'two', 'three']
  const rendered = await Promise.all(texts.map((text) => renderMarkdownApart(text, place)))
  assert.deepEqual(rendered, ['<p>one</p>\n', '<p>two</p>\n', '<p>three</p>\n'])
})

test('renderMarkdownApart() gives up on a text that takes too long and goes on with the next', async () => {
  const endless = '<b>'.repeat(400_000)
  const rendered = [await renderMarkdownApart(endless, place), await renderMarkdownApart('next', place)]
  assert.deepEqual(rendered, [null, '<p>next</p>\n'])
})
