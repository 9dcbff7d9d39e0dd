import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import type { PatchLine } from './parse-patch.ts'
import { createWordComparison } from './word-changes.ts'

function line(kind: PatchLine['kind'], text: string): PatchLine {
  return { kind, text, oldLine: null, newLine: null }
}

test('createWordComparison() marks the words that differ', () => {
  const [old, young] = [line('removed', 'The tide rises slowly.'), line('added', 'The tide falls slowly.')]
  const changes = createWordComparison()([line('kept', 'Before'), old, young])
  assert.deepEqual(
    [changes.get(old)?.filter(({ isChanged }) => isChanged), changes.get(young)?.filter(({ isChanged }) => isChanged)],
    [[{ text: 'rises', isChanged: true }], [{ text: 'falls', isChanged: true }]],
  )
})

test('createWordComparison() does not mark lines that have few words in common', () => {
  const lines = [line('removed', 'The tide rises.'), line('added', 'Quite another sentence stands here now')]
  assert.equal(createWordComparison()(lines).size, 0)
})

test('createWordComparison() does not mark groups whose sides have different numbers of lines', () => {
  const lines = [line('removed', 'One two three.'), line('added', 'One two three four.'), line('added', 'Five.')]
  assert.equal(createWordComparison()(lines).size, 0)
})

test('createWordComparison() returns every line in full', () => {
  const word = fc.constantFrom('tide', 'rises', 'falls', ' ', '\\alpha', '{', '}', '.')
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, young] = [line('removed', before), line('added', after)]
      for (const [{ text: whole }, parts] of createWordComparison()([old, young]))
        assert.equal(parts.map((part) => part.text).join(''), whole)
    }),
  )
})

/** Every other word differs, so that no comparison finds a long common run. */
function alternating(count: number, word: string): string {
  return Array.from({ length: count }, (_, n) => (n % 2 === 0 ? 'a' : `${word}${n}`)).join(' ')
}

test('createWordComparison() does not mark lines with too many different words', () => {
  const lines = [line('removed', alternating(800, 'b')), line('added', alternating(800, 'c'))]
  assert.equal(createWordComparison()(lines).size, 0)
})

test('createWordComparison() stops at its limit of comparisons for one change', () => {
  const compare = createWordComparison()
  const hunk = [line('removed', alternating(200, 'b')), line('added', alternating(200, 'c'))]
  const marked = Array.from({ length: 200 }, () => compare(hunk).size)
  assert.deepEqual([marked[0], marked.at(-1)], [2, 0])
})
