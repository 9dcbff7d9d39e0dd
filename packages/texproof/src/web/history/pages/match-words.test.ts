import assert from 'node:assert/strict'
import { test } from 'node:test'

import { diffArrays } from 'diff'

import { matchWords } from './match-words.browser.ts'

const match = (old: string, young: string) => matchWords(diffArrays, old.split(' '), young.split(' '))

test('matchWords() returns what is shared and what was replaced, in order', () => {
  assert.deepEqual(match('the tide rises twice a day', 'the tide falls a day at most'), {
    shared: [
      { oldFrom: 0, newFrom: 0, length: 2 },
      { oldFrom: 4, newFrom: 3, length: 2 },
    ],
    replaced: [
      { oldFrom: 2, oldTo: 4, newFrom: 2, newTo: 3 },
      { oldFrom: 6, oldTo: 6, newFrom: 5, newTo: 7 },
    ],
  })
})

test('matchWords() finds no replacement in equal texts', () => {
  assert.deepEqual(match('ebb and flow', 'ebb and flow'), {
    shared: [{ oldFrom: 0, newFrom: 0, length: 3 }],
    replaced: [],
  })
})

test('matchWords() replaces texts that have nothing in common as a whole', () => {
  const words = (name: string): readonly string[] => Array.from({ length: 3_000 }, (_, at) => `${name}${at}`)
  assert.deepEqual(matchWords(diffArrays, words('a'), words('b')), {
    shared: [],
    replaced: [{ oldFrom: 0, oldTo: 3_000, newFrom: 0, newTo: 3_000 }],
  })
})

test('matchWords() finds a new chapter of ten thousand words', () => {
  const words = (name: string, length: number): readonly string[] =>
    Array.from({ length }, (_, at) => `${name}${at % 500} ${name}${at}`.split(' ')).flat()
  const [first, second, chapter] = [words('a', 5_000), words('b', 5_000), words('c', 5_000)]
  assert.deepEqual(matchWords(diffArrays, [...first, ...second], [...first, ...chapter, ...second]), {
    shared: [
      { oldFrom: 0, newFrom: 0, length: 10_000 },
      { oldFrom: 10_000, newFrom: 20_000, length: 10_000 },
    ],
    replaced: [{ oldFrom: 10_000, oldTo: 10_000, newFrom: 10_000, newTo: 20_000 }],
  })
})

test('what matchWords() shares is equal, and with what it replaces it is all of both texts', () => {
  let seed = 11
  const random = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit
  for (let round = 0; round < 300; round += 1) {
    const old = Array.from({ length: random(40) }, () => `w${random(12)}`)
    const young = old.flatMap((word) => (random(5) === 0 ? [] : random(5) === 0 ? [word, `n${random(9)}`] : [word]))
    const { shared, replaced } = matchWords(diffArrays, old, young)
    for (const { oldFrom, newFrom, length } of shared)
      assert.deepEqual(old.slice(oldFrom, oldFrom + length), young.slice(newFrom, newFrom + length))
    const parts = [
      ...shared.map((part) => [part.oldFrom, part.oldFrom + part.length, part.newFrom, part.newFrom + part.length]),
      ...replaced.map((part) => [part.oldFrom, part.oldTo, part.newFrom, part.newTo]),
    ].toSorted((one, other) => (one[0] ?? 0) - (other[0] ?? 0) || (one[2] ?? 0) - (other[2] ?? 0))
    const starts = parts.map((part) => [part[0], part[2]])
    const ends = parts.map((part) => [part[1], part[3]])
    assert.deepEqual([...starts, [old.length, young.length]], [[0, 0], ...ends])
  }
})
