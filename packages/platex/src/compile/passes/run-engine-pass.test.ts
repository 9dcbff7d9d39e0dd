import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countPages } from './run-engine-pass.ts'

test('countPages calls back once per chunk, however many brackets a document prints', () => {
  const pages: number[] = []
  countPages((page) => pages.push(page))(new TextEncoder().encode('[1'.repeat(100_000)))
  assert.deepEqual(pages, [100_000])
})

test('countPages counts shipped pages across chunks', () => {
  const pages: number[] = []
  const watch = countPages((page) => pages.push(page))
  for (const chunk of ['(main.tex [1{map}] [', '2] [3', '4]) [no page]']) watch(new TextEncoder().encode(chunk))
  assert.deepEqual(pages, [1, 3])
})
