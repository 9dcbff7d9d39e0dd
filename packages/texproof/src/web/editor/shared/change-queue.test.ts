import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as Y from 'yjs'

import { applyUpdate, createSharedText, textOf } from '../../../live/shared-text.ts'
import { createChangeQueue } from './change-queue.browser.ts'

/** A text whose changes are in a queue. */
function openText() {
  const doc = new Y.Doc()
  const queue = createChangeQueue()
  doc.on('update', (update: Uint8Array) => queue.add(update))
  const text = doc.getText('text')
  return { queue, type: (added: string): void => text.insert(text.length, added) }
}

function read(updates: readonly (Uint8Array | null)[]): string {
  const doc = new Y.Doc()
  for (const update of updates) if (update !== null) Y.applyUpdate(doc, update)
  return doc.getText('text').toString()
}

test('a copy contains everything that is not stored, and so does the next message', () => {
  const { queue, type } = openText()
  const copies: string[] = []
  for (const word of ['a', 'b', 'c', 'd']) {
    type(word)
    copies.push(read(queue.unstored()))
  }
  assert.deepEqual([copies, read([queue.take()]), queue.take()], [['a', 'ab', 'abc', 'abcd'], 'abcd', null])
})

test('changes that were not acknowledged are sent again on the next connection', () => {
  const { queue, type } = openText()
  type('a')
  queue.take()
  type('b')
  const copy = read(queue.unstored())
  queue.restart()
  const again = read([queue.take()])
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

test('what was typed for hours without a network is sent in messages that the server accepts', () => {
  const doc = createSharedText('', 1)
  const queue = createChangeQueue()
  doc.on('update', (update: Uint8Array) => queue.add(update))
  const text = textOf(doc)
  for (let key = 0; key < 24_000; key += 1)
    if (key % 8 === 7) text.delete((key * 7_919) % text.length, 1)
    else text.insert((key * 7_919) % (text.length + 1), 'a')
  const copied = read(queue.unstored())
  const server = createSharedText('', 1)
  const outcomes = new Set<string>()
  for (let sent = queue.take(); sent !== null; sent = queue.take())
    outcomes.add(applyUpdate(server, sent, { owners: new Map(), userId: 'alice' }).kind)
  assert.deepEqual([[...outcomes], textOf(server).toString(), copied], [['applied'], text.toString(), text.toString()])
})
