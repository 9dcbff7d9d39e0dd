import assert from 'node:assert/strict'
import { test } from 'node:test'

import { EditorSelection, EditorState } from '@codemirror/state'
import type { ChangeSet } from '@codemirror/state'

import { joinChanges } from './join-changes.browser.ts'

const COUNT = 25_000

/** Changes each `a` of a text to `b`, with the cursor in the middle. */
function change(count: number) {
  const state = EditorState.create({
    doc: 'a,'.repeat(count),
    selection: EditorSelection.cursor(count),
    extensions: joinChanges,
  })
  const changes = Array.from({ length: count }, (_, index) => ({ from: 2 * index, to: 2 * index + 1, insert: 'bb' }))
  return state.update({ changes, userEvent: 'input.replace.all' })
}

function countOf(changes: ChangeSet): number {
  let count = 0
  changes.iterChanges(() => (count += 1))
  return count
}

test('changes at very many places are joined, with the same text, cursor and event', () => {
  const transaction = change(COUNT)
  assert.deepEqual(
    [countOf(transaction.changes), transaction.newDoc.toString(), transaction.newSelection.main.head],
    [1_924, 'bb,'.repeat(COUNT), (COUNT / 2) * 3],
  )
  assert.equal(transaction.isUserEvent('input.replace'), true)
})

test('changes at some places stay apart', () => {
  assert.equal(countOf(change(2_000).changes), 2_000)
})
