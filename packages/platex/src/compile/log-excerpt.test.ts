import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countSkippedBytes, joinEnds, keepEnds, keepOutput, KEPT_BYTES } from './log-excerpt.ts'

const bytes = (text: string) => Buffer.from(text)
const text = (content: Uint8Array) => Buffer.from(content).toString()

test('joinEnds keeps whole lines of both ends', () => {
  const ends = { head: bytes('one\ntwo\nth'), tail: bytes('ght\nnine\n'), sizeBytes: 100 }
  assert.deepEqual([text(joinEnds(ends)), countSkippedBytes(ends)], ['one\ntwo\n\nnine\n', 81])
})

test('joinEnds keeps a file that is not cut as it is', () => {
  assert.equal(text(joinEnds({ head: bytes('one\ntw'), tail: bytes(''), sizeBytes: 6 })), 'one\ntw')
})

test('keepEnds keeps both ends of a long log and counts the missing bytes', () => {
  const ends = { head: Buffer.alloc(KEPT_BYTES, 'a'), tail: Buffer.alloc(KEPT_BYTES, 'b'), sizeBytes: KEPT_BYTES + 5 }
  const kept = text(keepEnds(ends))
  assert.equal(kept.length, KEPT_BYTES - 4) // the two characters of three bytes
  assert.match(kept, /^a+\n\[… 5 bytes left out …\]\nb+$/)
})

test('keepOutput keeps short output as it is', () => {
  const output = bytes('short')
  assert.equal(keepOutput(output), output)
})
