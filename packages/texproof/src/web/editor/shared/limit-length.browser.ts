/** Refuses what would make a text longer than the server accepts, before it can no longer be stored. */
import { EditorState } from '@codemirror/state'
import type { Text } from '@codemirror/state'

import { sayNotice } from '../draft-status.browser.ts'

/** As the server: 1 MB. */
const MAX_BYTES = 1024 * 1024
/** Of a character (UTF-16) in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3

/** Only what the user types or pastes is refused: the changes of others are stored already. */
export const limitLength = EditorState.transactionFilter.of((transaction) => {
  const { startState, newDoc } = transaction
  if (!transaction.isUserEvent('input') || newDoc.length <= startState.doc.length || !isTooLong(newDoc))
    return transaction
  // During an update, the page must not be read.
  queueMicrotask(() => sayNotice('Not inserted: the file would be larger than 1 MB. Split the file.'))
  return []
})

function isTooLong(text: Text): boolean {
  if (text.length * MAX_BYTES_PER_CHARACTER <= MAX_BYTES) return false
  return text.length > MAX_BYTES || new TextEncoder().encode(text.toString()).length > MAX_BYTES
}
