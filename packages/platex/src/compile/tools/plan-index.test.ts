import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitIndexEntries } from './plan-index.ts'

test('splitIndexEntries leaves an index of one kind alone', () => {
  assert.equal(splitIndexEntries('\\indexentry{a}{1}\n'), null)
})

test('splitIndexEntries sorts entries by name and keeps their order', () => {
  const raw = '\\indexentry[people]{Bob}{1}\n\\indexentry{tide}{1}\n\\indexentry[people]{Alice}{2}\n'
  assert.deepEqual(
    splitIndexEntries(raw),
    new Map([
      ['people', '\\indexentry{Bob}{1}\n\\indexentry{Alice}{2}\n'],
      [null, '\\indexentry{tide}{1}\n'],
    ]),
  )
})

test('splitIndexEntries rejects names that would be paths', () => {
  const parts = splitIndexEntries('\\indexentry[../up]{Bob}{1}\n')
  assert.deepEqual([...(parts ?? new Map()).keys()], [null])
})
