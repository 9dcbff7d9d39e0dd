import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { encodeSourceText, readSourceText } from './source-text.ts'

/** A text as a browser submits it. */
const sent = (text: string | null): string => (text ?? '').replaceAll('\n', '\r\n')
const edit = (file: string, from: string, to: string): string =>
  Buffer.from(encodeSourceText(sent(readSourceText(Buffer.from(file))).replace(from, to), Buffer.from(file))).toString()

test('encodeSourceText() returns every byte of an unchanged text', () => {
  const lines = fc.array(fc.tuple(fc.constantFrom('', 'a', 'b c', 'é'), fc.constantFrom('\n', '\r\n', '\r', '')))
  const file = fc.tuple(fc.constantFrom('', '\uFEFF'), lines)
  fc.assert(
    fc.property(file, ([mark, parts]) => {
      const text = mark + parts.flat().join('')
      assert.equal(edit(text, 'nothing like it', ''), text)
    }),
  )
})

test('encodeSourceText() keeps the line endings, the byte order mark and the last newline of a file', () => {
  assert.equal(edit('a\nb\nc\n', 'b', 'x\r\ny'), 'a\nx\ny\nc\n')
  assert.equal(edit('a\r\nb\r\nc\r\n', 'b', 'x\r\ny'), 'a\r\nx\r\ny\r\nc\r\n')
  assert.equal(edit('\uFEFFa\r\nb', 'b', 'x'), '\uFEFFa\r\nx')
  assert.equal(edit('a\nb', 'b', 'x'), 'a\nx')
  assert.equal(edit('a\nb\n', 'b\r\n', 'x'), 'a\nx\n')
  assert.equal(edit('a\r\nb\nc\r\nd\r\n', 'c', 'x\r\ny'), 'a\r\nb\nx\r\ny\r\nd\r\n')
  assert.equal(edit('a\nb\n', 'a\r\nb\r\n', ''), '')
})

test('encodeSourceText() ends a new file with a newline, unless it is empty', () => {
  assert.equal(Buffer.from(encodeSourceText('a\r\nb', null)).toString(), 'a\nb\n')
  assert.equal(Buffer.from(encodeSourceText('', null)).toString(), '')
  assert.equal(Buffer.from(encodeSourceText('a', new Uint8Array())).toString(), 'a\n')
})

test('readSourceText() accepts only UTF-8 text', () => {
  assert.equal(readSourceText(Buffer.from('caf\xe9', 'latin1')), null)
  assert.equal(readSourceText(Buffer.from('a\0b')), null)
  assert.equal(readSourceText(Buffer.from('\uFEFFa\r\nb\rc')), 'a\nb\nc')
})
