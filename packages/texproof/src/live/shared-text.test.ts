import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'
import * as Y from 'yjs'

import { applyUpdate, createSharedText, readSharedText, replaceText, textOf } from './shared-text.ts'
import { sharedTextLimits } from './shared-text-limits.ts'
import type { UpdateOutcome } from './shared-text.ts'

const sender = { owners: new Map<number, string>(), userId: 'alice' }

/** Update that a browser sends after changing a document. */
function change(doc: Y.Doc, edit: (text: Y.Text, copy: Y.Doc) => void): Uint8Array {
  const copy = new Y.Doc()
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
  const before = Y.encodeStateVector(copy)
  edit(copy.getText('text'), copy)
  return Y.encodeStateAsUpdate(copy, before)
}

const open = (text = 'abc'): Y.Doc => createSharedText(text, 7)
const apply = (doc: Y.Doc, update: Uint8Array): UpdateOutcome =>
  applyUpdate(doc, update, { ...sender, owners: new Map() })

test('createSharedText() gives the same document for the same text', () => {
  assert.deepEqual(Y.encodeStateAsUpdate(open()), Y.encodeStateAsUpdate(open()))
})

test('applyUpdate() applies inserted and deleted text, and reports what is new', () => {
  const doc = open()
  const update = change(doc, (text) => {
    text.insert(1, 'xy')
    text.delete(0, 1)
  })
  const first = apply(doc, update)
  assert.deepEqual(
    [first.kind, textOf(doc).toString(), apply(doc, update)],
    ['applied', 'xybc', { kind: 'applied', update: null }],
  )
})

const refused: Readonly<Record<string, (doc: Y.Doc) => Uint8Array>> = {
  'random bytes': () => new Uint8Array([255, 255, 255, 255, 1, 2, 3]),
  'another type': (doc) => change(doc, (_, copy) => copy.getMap('other').set('a', 1)),
  'another text': (doc) => change(doc, (_, copy) => copy.getText('other').insert(0, 'a')),
  'formatted text': (doc) => change(doc, (text) => text.insert(0, 'a', { bold: true })),
  'embedded objects': (doc) => change(doc, (text) => text.insertEmbed(0, { image: 'a' })),
  'nested types': (doc) => change(doc, (text) => text.insertEmbed(0, new Y.Map())),
  'attributes of the text': (doc) => change(doc, (text) => text.setAttribute('a', 1)),
  'a carriage return': (doc) => change(doc, (text) => text.insert(0, 'a\r\n')),
  'a null character': (doc) => change(doc, (text) => text.insert(0, '\0')),
  'a gap in the history': (doc) => {
    const copy = new Y.Doc()
    Y.applyUpdate(copy, Y.encodeStateAsUpdate(doc))
    copy.getText('text').insert(0, 'first')
    const between = Y.encodeStateVector(copy)
    copy.getText('text').insert(0, 'second')
    return Y.encodeStateAsUpdate(copy, between)
  },
  'a deletion of what does not exist': () => {
    const other = new Y.Doc()
    other.getText('text').insert(0, 'abcdef')
    const before = Y.encodeStateVector(other)
    other.getText('text').delete(0, 6)
    return Y.encodeStateAsUpdate(other, before)
  },
}

for (const [what, make] of Object.entries(refused))
  test(`applyUpdate() refuses ${what}, and the document stays as it is`, () => {
    const doc = open()
    const state = Y.encodeStateAsUpdate(doc)
    const outcome = apply(doc, make(doc))
    assert.deepEqual([outcome, Y.encodeStateAsUpdate(doc)], [{ kind: 'refused', reason: 'malformed' }, state])
  })

test('applyUpdate() refuses a text that becomes too long', () => {
  const doc = open()
  const update = change(doc, (text) => text.insert(0, 'a'.repeat(sharedTextLimits.length)))
  assert.deepEqual(apply(doc, update), { kind: 'refused', reason: 'too-long' })
})

test("applyUpdate() refuses additions to the history of another user's browser", () => {
  const doc = open()
  const owners = new Map<number, string>()
  const update = (value: string): Uint8Array =>
    change(doc, (text, copy) => {
      copy.clientID = 42
      text.insert(0, value)
    })
  applyUpdate(doc, update('a'), { owners, userId: 'alice' })
  const outcome = applyUpdate(doc, update('b'), { owners, userId: 'bob' })
  assert.deepEqual([outcome, textOf(doc).toString()], [{ kind: 'refused', reason: 'malformed' }, 'aabc'])
})

test('replaceText() changes only the lines that differ', () => {
  const doc = open('one\ntwo\nthree\nfour\n')
  const other = readSharedText(Y.encodeStateAsUpdate(doc), [])
  const update = replaceText(doc, 'one\n2\nthree\n4\n')
  // Typed meanwhile, between the changes.
  textOf(other).insert(8, 'and ')
  Y.applyUpdate(other, update ?? new Uint8Array())
  assert.equal(textOf(other).toString(), 'one\n2\nand three\n4\n')
})

test('replaceText() keeps what others type meanwhile at its place in a changed line', () => {
  const doc = open('see \\ref{a} and\nsee \\ref{a} too\n')
  const other = readSharedText(Y.encodeStateAsUpdate(doc), [])
  const update = replaceText(doc, 'see \\ref{b} and\nsee \\ref{b} too\n')
  textOf(other).insert(15, ' more')
  Y.applyUpdate(other, update ?? new Uint8Array())
  assert.equal(textOf(other).toString(), 'see \\ref{b} and more\nsee \\ref{b} too\n')
})

test('replaceText() compares few lines of a text with very many, and replaces all between the first and last', () => {
  const make = (mark: string) => `${'\n'.repeat(999)}${mark}`.repeat(100)
  const update = replaceText(open(`Before.${make('a')}`), `Before.${make('b')}`) ?? new Uint8Array()
  const inserted = Y.decodeUpdate(update).structs.map(({ length }) => length)
  assert.deepEqual(inserted, [make('b').length - 999])
})

test('replaceText() returns null for the same text', () => {
  assert.equal(replaceText(open(), 'abc'), null)
})

for (const [what, before, after] of [
  ['replaces a character outside the basic plane', '😀', '😁'],
  ['deletes the first of two such characters', '𝛼𝛽', '𝛽'],
  ['inserts such a character before another', '𝛽', '𝛼𝛽'],
] as const)
  test(`replaceText() ${what}`, () => {
    const doc = open(`a${before}b`)
    replaceText(doc, `a${after}b`)
    assert.equal(textOf(doc).toString(), `a${after}b`)
  })

test('replaceText() gives every well-formed text, here and in a browser that receives the update', () => {
  // Few characters, so that the texts have much in common. 𝛼 and 𝛽 share their first half, 𝛽 and 𐋽 their second one.
  const text = fc.string({ unit: fc.constantFrom('𝛼', '𝛽', '𐋽', 'a', '\n'), maxLength: 12 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const doc = open(before)
      const other = readSharedText(Y.encodeStateAsUpdate(doc), [])
      const update = replaceText(doc, after)
      if (update !== null) Y.applyUpdate(other, update)
      assert.deepEqual([textOf(doc).toString(), textOf(other).toString()], [after, after])
    }),
  )
})
