import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { createReplyReader, encodeObjectQuery, type ObjectQuery, type ObjectReply } from './object-replies.ts'

const a = 'a'.repeat(40)
const b = 'b'.repeat(40)
const info: ObjectQuery = { command: 'info', objectId: a, peelTo: null }
const contents: ObjectQuery = { command: 'contents', objectId: a, peelTo: null }
const peel: ObjectQuery = { command: 'info', objectId: a, peelTo: 'commit' }

/** Reads output in chunks of one size. */
function read(queries: readonly ObjectQuery[], output: string, size = 7) {
  const replies: ObjectReply[] = []
  const reader = createReplyReader({
    nextQuery: () => queries[replies.length] ?? null,
    onReply: (reply) => void replies.push(reply),
  })
  const bytes = Buffer.from(output, 'latin1')
  let isExpected = true
  for (let at = 0; at < bytes.length && isExpected; at += size) isExpected = reader.push(bytes.subarray(at, at + size))
  return { replies, isExpected }
}

test('encodeObjectQuery() writes one line', () => {
  assert.deepEqual([info, contents, peel].map(encodeObjectQuery), [
    `info ${a}\n`,
    `contents ${a}\n`,
    `info ${a}^{commit}\n`,
  ])
})

test('createReplyReader() reads sizes, bytes and missing objects, however the output is split', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), fc.integer({ min: 1, max: 60 }), (text, size) => {
      const output = `${a} blob ${text.length}\n${text}\n${a} missing\n${b} commit 9\n${a} blob 3\n`
      assert.deepEqual(read([contents, contents, peel, info], output, size), {
        replies: [
          { kind: 'object', objectId: a, type: 'blob', size: text.length, bytes: Buffer.from(text) },
          { kind: 'missing' },
          { kind: 'object', objectId: b, type: 'commit', size: 9, bytes: Buffer.alloc(0) },
          { kind: 'object', objectId: a, type: 'blob', size: 3, bytes: Buffer.alloc(0) },
        ],
        isExpected: true,
      })
    }),
  )
})

const unexpected: Readonly<Record<string, readonly [readonly ObjectQuery[], string]>> = {
  'the answer to another question': [[info], `${b} blob 3\n`],
  'a missing object that was not asked for': [[info], `${b} missing\n`],
  'an object of another type than the one to peel to': [[peel], `${b} tree 3\n`],
  'an answer to no question': [[], `${a} blob 3\n`],
  'bytes that do not end where they should': [[contents], `${a} blob 2\nabc\n`],
  'a line without end': [[info], 'x'.repeat(400)],
  words: [[info], 'fatal: something\n'],
}

for (const [what, [queries, output]] of Object.entries(unexpected)) {
  test(`createReplyReader() stops at ${what}`, () => {
    assert.deepEqual(read(queries, output), { replies: [], isExpected: false })
  })
}
