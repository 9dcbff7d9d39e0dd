import assert from 'node:assert/strict'
import { test } from 'node:test'

import { oneLine, plainLines } from './one-line.ts'

test('a name in any script is kept', () => {
  assert.deepEqual(['Zoë Ünal', 'שלום', '张伟', "O'Neil 👩🏽‍🔬"].map(oneLine), ['Zoë Ünal', 'שלום', '张伟', "O'Neil 👩🏽‍🔬"])
})

test('control characters, line breaks and changes of the text direction are removed from a name', () => {
  assert.deepEqual(
    [' laptop\r\n\r\nWas it you? ', 'a\u0000\u001b[31mb', 'a\u2028b\u0085c', 'a\u202Eb\u2066c', '\u0007'].map(oneLine),
    ['laptop Was it you?', 'a [31mb', 'a b c', 'a b c', ''],
  )
})

test('a name without a visible character is empty', () => {
  assert.deepEqual(['\u200B', '\u00AD \u2060', '\u3164', '\u{E0041}', '\u0301', '\u200Bab'].map(oneLine), [
    '',
    '',
    '',
    '',
    '\u0301',
    '\u200Bab',
  ])
})

test('plainLines() keeps line breaks, whatever their form, and cleans each line', () => {
  assert.deepEqual([' a\r\nb\rc\n\nd ', 'a\u0000b\u0007 \n\tc', '\r\n', 'a\u2028b\u202Ec'].map(plainLines), [
    'a\nb\nc\n\nd',
    'a b\nc',
    '',
    'a b c',
  ])
})
