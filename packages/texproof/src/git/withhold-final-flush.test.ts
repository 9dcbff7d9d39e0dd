import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { encodePktLine, flushPkt } from './pkt-line.ts'
import { withholdFinalFlush } from './withhold-final-flush.ts'

const packet = fc.oneof(fc.uint8Array({ maxLength: 30 }).map(encodePktLine), fc.constant(flushPkt))

test('withholdFinalFlush puts its words before the last flush, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(packet), fc.integer({ min: 1, max: 9 }), async (packets, size) => {
      const before = Buffer.concat(packets)
      const output = await passThrough(Buffer.concat([before, flushPkt]), size, ['one', 'two'])
      assert.deepEqual(output, Buffer.concat([before, Buffer.from('onetwo'), flushPkt]))
    }),
  )
})

test('withholdFinalFlush says nothing when the answer does not end in a flush', async () => {
  const bytes = Buffer.concat([flushPkt, encodePktLine('x')])
  assert.deepEqual(await passThrough(bytes, 3, ['words']), bytes)
})

test('withholdFinalFlush says nothing after an answer cut inside a packet', async () => {
  const bytes = Buffer.concat([flushPkt, Buffer.from('001')])
  assert.deepEqual(await passThrough(bytes, 3, ['words']), bytes)
})

test('withholdFinalFlush passes bytes that are no pkt-lines', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
      assert.deepEqual(await passThrough(bytes, size, []), Buffer.from(bytes))
    }),
  )
})

test('withholdFinalFlush still ends the answer when the words fail', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new Error('no more words')
  }
  const output = new Response(new Blob([flushPkt]).stream().pipeThrough(withholdFinalFlush(failing)))
  assert.equal(await output.text(), 'half0000')
})

async function passThrough(bytes: Uint8Array, chunkSize: number, words: readonly string[]): Promise<Buffer> {
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkSize) controller.enqueue(bytes.subarray(at, at + chunkSize))
      controller.close()
    },
  })
  async function* speak(): AsyncGenerator<Uint8Array> {
    for (const word of words) yield Buffer.from(word)
  }
  return Buffer.from(await new Response(chunks.pipeThrough(withholdFinalFlush(speak))).arrayBuffer())
}
