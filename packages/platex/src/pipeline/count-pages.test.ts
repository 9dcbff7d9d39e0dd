import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPages } from './count-pages.ts'

test('countPages counts shipped pages across chunks', () => {
  const pages: number[] = []
  const watch = countPages((page) => pages.push(page))
  for (const chunk of ['(main.tex [1{map}] [', '2] [3', '4]) [no page]']) watch(new TextEncoder().encode(chunk))
  assert.deepEqual(pages, [1, 2, 3])
})
