/** Joins neighboring changes of a transaction that changes a text at very many places, as a replacement of all matches can. */
import { EditorState, Transaction } from '@codemirror/state'
import { ySyncAnnotation } from 'y-codemirror.next'

/**
 * The server refuses a message of more than 20,000 parts. Each change is a part, and an undo has several for each change.
 * What others type meanwhile between joined changes stays, but may move to the end of the joined text.
 */
const MAX_CHANGES = 2_000

export const joinChanges = EditorState.transactionFilter.of((transaction) => {
  // The shared text already has the changes of others and the changes of an undo.
  if (!transaction.docChanged || transaction.annotation(ySyncAnnotation) !== undefined) return transaction
  const changes = join(transaction)
  if (changes === null) return transaction
  const { newSelection: selection, effects, scrollIntoView } = transaction
  const userEvent = transaction.annotation(Transaction.userEvent)
  return { changes, selection, effects, scrollIntoView, ...(userEvent === undefined ? {} : { userEvent }) }
})

/** Null if there are few changes. */
function join({ changes, newDoc }: Transaction) {
  const places: { readonly from: number; to: number; readonly newFrom: number; newTo: number }[] = []
  changes.iterChanges((from, to, newFrom, newTo) => places.push({ from, to, newFrom, newTo }))
  if (places.length <= MAX_CHANGES) return null
  const size = Math.ceil(places.length / MAX_CHANGES)
  return Array.from({ length: Math.ceil(places.length / size) }, (_, index) => {
    const group = places.slice(index * size, (index + 1) * size)
    const { from, newFrom } = group[0] ?? { from: 0, newFrom: 0 }
    const { to, newTo } = group.at(-1) ?? { to: from, newTo: newFrom }
    return { from, to, insert: newDoc.slice(newFrom, newTo) }
  })
}
