import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf16Order } from './utf16.ts'

const little = Buffer.from('\\documentclass{article}\r\n', 'utf16le')
const big = Buffer.from(little).swap16()

test('utf16Order() recognizes sources in UTF-16 with and without a byte order mark', () => {
  const marked = [Buffer.concat([Buffer.from([0xff, 0xfe]), little]), Buffer.concat([Buffer.from([0xfe, 0xff]), big])]
  assert.deepEqual([...marked, little, big].map(utf16Order), ['le', 'be', 'le', 'be'])
})

test('utf16Order() accepts no other text or data', () => {
  const others = ['', 'a', 'ab', 'Größe', '\ufefftext', '\0\0\0\0\0\0', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR']
  assert.deepEqual(
    others.map((text) => utf16Order(Buffer.from(text))),
    others.map(() => null),
  )
})
