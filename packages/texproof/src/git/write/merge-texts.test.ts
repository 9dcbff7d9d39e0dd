import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openTestStore } from '../../../test/support/git/git-repository.ts'
import type { TextVersions } from './merge-texts.ts'
import type { MergedPart } from './split-place.ts'
import { readMerge } from './read-merge.ts'
import type { GitStore } from '../types.ts'

async function merge(store: GitStore, versions: TextVersions): Promise<readonly MergedPart[] | null> {
  const output = await store.mergeTexts(versions)
  return output && readMerge({ ...output, ...versions })
}

test('mergeTexts() merges changes of one version, and returns changes of both as conflicts', async (t) => {
  const { store } = await openTestStore(t)
  const base = 'One.\nTwo.\nThree.\nFour.\nFive.\nSix.\nSeven.\n'
  assert.deepEqual(
    await merge(store, { base, mine: base.replace('One', 'First'), theirs: base.replace('Seven', 'Last') }),
    [{ kind: 'settled', text: 'First.\nTwo.\nThree.\nFour.\nFive.\nSix.\nLast.\n' }],
  )
  assert.deepEqual(
    await merge(store, {
      base,
      mine: base.replace('One', 'First').replace('Four', 'Quatre'),
      theirs: base.replace('Four', 'Vier').replace('Seven', 'Last'),
    }),
    [
      { kind: 'settled', text: 'First.\nTwo.\nThree.\n' },
      { kind: 'place', mine: 'Quatre.\n', theirs: 'Vier.\n' },
      { kind: 'settled', text: 'Five.\nSix.\nLast.\n' },
    ],
  )
})

test('mergeTexts() merges a text that contains conflict markers', async (t) => {
  const { store } = await openTestStore(t)
  const marks = `<<<<<<< a\n=======\n${'='.repeat(40)}\n>>>>>>> b\n`
  assert.deepEqual(
    await merge(store, { base: `${marks}One.\n`, mine: `${marks}Mine.\n=======\n`, theirs: `${marks}Theirs.\n` }),
    [
      { kind: 'settled', text: marks },
      { kind: 'place', mine: 'Mine.\n=======\n', theirs: 'Theirs.\n' },
    ],
  )
})

test('mergeTexts() reports a conflict if one version removed the place, and ends every text with a newline', async (t) => {
  const { store } = await openTestStore(t)
  assert.deepEqual(await merge(store, { base: 'One.\nTwo.', mine: 'One.\n', theirs: 'One.\nDeux.' }), [
    { kind: 'settled', text: 'One.\n' },
    { kind: 'place', mine: '', theirs: 'Deux.\n' },
  ])
  assert.deepEqual(await merge(store, { base: '', mine: '', theirs: '' }), [])
})

test('mergeTexts() returns the whole text as one conflict if there are too many', async (t) => {
  const { store } = await openTestStore(t)
  const text = (word: string) => Array.from({ length: 300 }, (_, n) => `${word} ${n}\n\nkept ${n}\n\n\n\n`).join('')
  const [mine, theirs] = [text('mine'), text('theirs')]
  assert.deepEqual(await merge(store, { base: text('base'), mine, theirs }), [{ kind: 'place', mine, theirs }])
})

test('mergeTexts() returns null for a text with a line longer than any marker', async (t) => {
  const { store } = await openTestStore(t)
  const rule = '='.repeat(1_000_000)
  assert.equal(await merge(store, { base: rule, mine: `${rule}\na`, theirs: `${rule}\nb` }), null)
})
