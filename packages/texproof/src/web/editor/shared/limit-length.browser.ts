/** Refuses what would make a text longer than the server accepts, before it can no longer be stored. */
import { EditorState, StateField } from '@codemirror/state'
import type { Extension, Text, Transaction } from '@codemirror/state'

import { sayNotice } from '../draft-status.browser.ts'

/** Maximum size, the same as on the server: 1 MB. */
const MAX_BYTES = 1024 * 1024

/** Bytes of the text, kept: counting the bytes of a long text takes longer than everything else that a letter needs. */
const size = StateField.define<number>({
  create: ({ doc }) => countBytes(doc),
  update: sizeAfter,
})

/** Refuses only what the user types or pastes: the changes of others are already stored. */
const filter = EditorState.transactionFilter.of((transaction) => {
  const { startState } = transaction
  if (!transaction.docChanged || !transaction.isUserEvent('input')) return transaction
  const before = startState.field(size)
  const after = sizeAfter(before, transaction)
  if (after <= before || after <= MAX_BYTES) return transaction
  // During an update, the page must not be read.
  queueMicrotask(() => sayNotice('Not inserted: the file would be larger than 1 MB. Split the file.'))
  return []
})

/** The limit for texts that the server stores. */
export const limitLength: Extension = [size, filter]

function sizeAfter(before: number, { changes, startState }: Transaction): number {
  let after = before
  changes.iterChanges((from, to, _newFrom, _newTo, inserted) => {
    after += countBytes(inserted) - countBytes(startState.doc.slice(from, to))
  })
  return after
}

function countBytes(text: Text): number {
  return new TextEncoder().encode(text.toString()).length
}
