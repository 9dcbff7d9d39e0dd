import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import type { PatchLine } from './parse-patch.ts'
import { findWordChanges } from './word-changes.ts'

function line(kind: PatchLine['kind'], text: string): PatchLine {
  return { kind, text, oldLine: null, newLine: null }
}

test('findWordChanges() marks the words that differ', () => {
  const [old, young] = [line('removed', 'The tide rises slowly.'), line('added', 'The tide falls slowly.')]
  const changes = findWordChanges([line('kept', 'Before'), old, young])
  assert.deepEqual(
    [changes.get(old)?.filter(({ isChanged }) => isChanged), changes.get(young)?.filter(({ isChanged }) => isChanged)],
    [[{ text: 'rises', isChanged: true }], [{ text: 'falls', isChanged: true }]],
  )
})

test('findWordChanges() leaves lines alone that have hardly a word in common', () => {
  const lines = [line('removed', 'The tide rises.'), line('added', 'Quite another sentence stands here now')]
  assert.equal(findWordChanges(lines).size, 0)
})

test('findWordChanges() leaves groups alone whose sides differ in number', () => {
  const lines = [line('removed', 'One two three.'), line('added', 'One two three four.'), line('added', 'Five.')]
  assert.equal(findWordChanges(lines).size, 0)
})

test('findWordChanges() gives every line back whole', () => {
  const word = fc.constantFrom('tide', 'rises', 'falls', ' ', '\\alpha', '{', '}', '.')
  const text = fc.array(word, { maxLength: 20 }).map((words) => words.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [old, young] = [line('removed', before), line('added', after)]
      for (const [{ text: whole }, parts] of findWordChanges([old, young]))
        assert.equal(parts.map((part) => part.text).join(''), whole)
    }),
  )
})
