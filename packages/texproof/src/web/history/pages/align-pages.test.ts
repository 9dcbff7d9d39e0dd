import assert from 'node:assert/strict'
import { test } from 'node:test'

import { alignPages } from './align-pages.browser.ts'

/** Pairs as `old new`, with `-` for none. */
function align(...asked: Parameters<typeof alignPages>): readonly string[] {
  return alignPages(...asked).map((pair) => `${pair.old ?? '-'} ${pair.new ?? '-'}`)
}

test('pages that share words are side by side, and a new page is alone', () => {
  const shared = [
    { old: 0, new: 0, words: 300 },
    { old: 1, new: 2, words: 300 },
    { old: 2, new: 3, words: 300 },
  ]
  assert.deepEqual(align({ old: 3, new: 4 }, shared), ['0 0', '- 1', '1 2', '2 3'])
})

test('a page is beside the one that has most of its words', () => {
  const shared = [
    { old: 0, new: 0, words: 100 },
    { old: 0, new: 1, words: 200 },
    { old: 1, new: 1, words: 150 },
    { old: 1, new: 2, words: 140 },
  ]
  assert.deepEqual(align({ old: 2, new: 3 }, shared), ['- 0', '0 1', '1 2'])
})

test('pages without shared words are paired in order', () => {
  assert.deepEqual(align({ old: 2, new: 3 }, [{ old: 1, new: 2, words: 9 }]), ['0 0', '- 1', '1 2'])
})

test('every page appears exactly once, in order', () => {
  let seed = 7
  const random = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit
  for (let round = 0; round < 200; round += 1) {
    const counts = { old: random(9), new: random(9) }
    const shared = Array.from({ length: random(20) }, () => ({
      old: random(counts.old || 1),
      new: random(counts.new || 1),
      words: 1 + random(5),
    })).filter((page) => page.old < counts.old && page.new < counts.new)
    const pairs = alignPages(counts, shared)
    assert.deepEqual(
      [pairs.flatMap((pair) => pair.old ?? []), pairs.flatMap((pair) => pair.new ?? [])],
      [[...Array(counts.old).keys()], [...Array(counts.new).keys()]],
    )
  }
})

test('documents of thousands of pages are paired by page number', () => {
  const pairs = alignPages({ old: 3_000, new: 3_001 }, [{ old: 0, new: 1, words: 9 }])
  assert.deepEqual([pairs.length, pairs[0], pairs.at(-1)], [3_001, { old: 0, new: 0 }, { old: null, new: 3_000 }])
})
