import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { encodePktLine, encodeServiceHeader, flushPkt, maxPktPayloadBytes, readPktLine } from './pkt-line.ts'

test('encodePktLine() includes its four digits in the length', () => {
  assert.equal(Buffer.from(encodePktLine('hello\n')).toString(), '000ahello\n')
})

test('encodePktLine() accepts 65516 bytes and not one more', () => {
  assert.equal(Buffer.from(encodePktLine(Buffer.alloc(maxPktPayloadBytes)).subarray(0, 4)).toString(), 'fff0')
  assert.throws(() => encodePktLine(Buffer.alloc(maxPktPayloadBytes + 1)), RangeError)
})

test('readPktLine() returns what encodePktLine() encoded, at any offset', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 9 }), (payload, before) => {
      const bytes = Buffer.concat([before, encodePktLine(payload), flushPkt])
      const read = readPktLine(bytes, before.length)
      const end = before.length + 4 + payload.length
      assert.deepEqual(read, { kind: 'data', payload: bytes.subarray(before.length + 4, end), end })
    }),
  )
})

test('readPktLine() reports a truncated packet as incomplete', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), (payload, cut) => {
      const bytes = encodePktLine(payload)
      assert.deepEqual(readPktLine(bytes.subarray(0, cut % bytes.length)), { kind: 'incomplete' })
    }),
  )
})

test('readPktLine() never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(50), (bytes, offset) => {
      readPktLine(bytes, offset)
    }),
  )
})

test('readPktLine() recognizes flush, delimiter and response end', () => {
  const reads = ['0000', '0001', '0002'].map((text) => readPktLine(Buffer.from(text)))
  assert.deepEqual(reads, [
    { kind: 'flush', end: 4 },
    { kind: 'delimiter', end: 4 },
    { kind: 'response-end', end: 4 },
  ])
})

for (const text of ['0003', 'zzzz', '-001', '+01a', 'fff5', 'ffff', 'PACK', ' 00a']) {
  test(`readPktLine() reports ${JSON.stringify(text)} as malformed`, () => {
    assert.deepEqual(readPktLine(Buffer.from(text)), { kind: 'malformed' })
  })
}

test('encodeServiceHeader() precedes a push and a fetch, but not a fetch with version 2', () => {
  const headers = [
    encodeServiceHeader('receive-pack', 'version=2'),
    encodeServiceHeader('upload-pack', null),
    encodeServiceHeader('upload-pack', 'version=2'),
  ]
  assert.deepEqual(
    headers.map((header) => Buffer.from(header).toString()),
    ['001f# service=git-receive-pack\n0000', '001e# service=git-upload-pack\n0000', ''],
  )
})
