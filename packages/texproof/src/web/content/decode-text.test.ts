import assert from 'node:assert/strict'
import { test } from 'node:test'

import { decodeLines } from './decode-text.ts'

test('decodeLines() decodes each line as UTF-8, otherwise as Windows-1252', () => {
  const lines = [Buffer.from('Flüsse\n'), Buffer.from('Flüsse\n', 'latin1'), Buffer.from('\n“β”')]
  assert.equal(decodeLines(Buffer.concat(lines)), 'Flüsse\nFlüsse\n\n“β”')
})

test('decodeLines() keeps the lines before a cut inside a character', () => {
  assert.equal(decodeLines(Buffer.from('höher\nβ').subarray(0, -1)), 'höher\nÎ')
})
