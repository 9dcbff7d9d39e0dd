import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { compareUtf8 } from '../../domain/text/compare-utf8.ts'
import { findRef, noRefs, overlayRefs, sliceRefs, type RefList } from './ref-list.ts'
import type { Ref } from '../types.ts'

const names = fc.uniqueArray(
  fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '\u{e000}', '\u{1f600}'), maxLength: 3 }),
)

function listOf(refNames: readonly string[], commitId: string): RefList {
  const refs = refNames.toSorted(compareUtf8).map((name) => ({ name, commitId }))
  return { length: refs.length, at: (index) => refs[index] ?? noRefs.at(index) }
}

function all(list: RefList): readonly Ref[] {
  return sliceRefs(list, 0, list.length)
}

test('overlayRefs() is a sorted map in which the later entry wins', () => {
  fc.assert(
    fc.property(names, names, (base, over) => {
      const merged = new Map([
        ...base.map((name) => [name, 'old'] as const),
        ...over.map((name) => [name, 'new'] as const),
      ])
      const expected = [...merged]
        .map(([name, commitId]) => ({ name, commitId }))
        .sort((x, y) => compareUtf8(x.name, y.name))
      const list = overlayRefs(listOf(base, 'old'), new Map(over.map((name) => [name, 'new'])))
      assert.deepEqual(all(list), expected)
      assert.deepEqual(
        expected.map(({ name }) => findRef(list, name)),
        expected,
      )
    }),
  )
})

test('sliceRefs() returns the existing part of a range', () => {
  const list = listOf(['a', 'b', 'c'], 'x')
  const ranges = [
    [0, 2],
    [1, 9],
    [3, 9],
    [7, 9],
    [2, 2],
    [0, Number.MAX_SAFE_INTEGER],
  ] as const
  assert.deepEqual(
    ranges.map(([start, end]) =>
      sliceRefs(list, start, end)
        .map(({ name }) => name)
        .join(''),
    ),
    ['ab', 'bc', '', '', '', 'abc'],
  )
})

test('findRef() returns null for an unknown name', () => {
  assert.deepEqual(
    ['', 'aa', 'z'].map((name) => findRef(listOf(['a', 'b'], 'x'), name)),
    [null, null, null],
  )
  assert.equal(findRef(noRefs, 'a'), null)
})
