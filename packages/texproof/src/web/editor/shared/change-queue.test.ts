import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as Y from 'yjs'

import { createChangeQueue } from './change-queue.browser.ts'

/** A text whose changes are in a queue. */
function openText() {
  const doc = new Y.Doc()
  const queue = createChangeQueue()
  doc.on('update', (update: Uint8Array) => queue.add(update))
  const text = doc.getText('text')
  return { queue, type: (added: string): void => text.insert(text.length, added) }
}

function read(update: Uint8Array | null): string {
  const doc = new Y.Doc()
  if (update !== null) Y.applyUpdate(doc, update)
  return doc.getText('text').toString()
}

test('a copy contains everything that is not stored, and so does the next message', () => {
  const { queue, type } = openText()
  const copies: string[] = []
  for (const word of ['a', 'b', 'c', 'd']) {
    type(word)
    copies.push(read(queue.merged()))
  }
  assert.deepEqual([copies, read(queue.take()), queue.take()], [['a', 'ab', 'abc', 'abcd'], 'abcd', null])
})

test('changes that were not acknowledged are sent again on the next connection', () => {
  const { queue, type } = openText()
  type('a')
  queue.take()
  type('b')
  const copy = read(queue.merged())
  queue.restart()
  const again = read(queue.take())
  queue.acknowledge(1)
  assert.deepEqual([copy, again, queue.isEmpty()], ['ab', 'ab', true])
})

test('a cleared queue is empty', () => {
  const { queue, type } = openText()
  type('a')
  queue.take()
  type('b')
  queue.clear()
  assert.deepEqual([queue.isEmpty(), queue.take()], [true, null])
})
