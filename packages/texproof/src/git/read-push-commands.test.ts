import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { encodePktLine, flushPkt } from './pkt-line.ts'
import { maxRefUpdates, readPushCommands } from './read-push-commands.ts'

const zero = '0'.repeat(40)
const a = 'a'.repeat(40)
const head = Buffer.concat([encodePktLine(`${zero} ${a} refs/heads/main\0 report-status`), flushPkt])

test('readPushCommands gives the whole request back, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 300 }), async (pack, size) => {
      const whole = Buffer.concat([head, pack])
      const read = await readPushCommands(cut(whole, size))
      assert.equal(read.kind, 'commands')
      assert.deepEqual(Buffer.from(await new Response(read.body).arrayBuffer()), whole)
    }),
  )
})

test('readPushCommands tells the updates and where they end', async () => {
  const read = await readPushCommands(cut(Buffer.concat([head, Buffer.from('PACK')]), 7))
  assert.deepEqual(read.kind === 'commands' && [read.commands.updates, read.commands.byteLength], [
    [{ ref: 'refs/heads/main', oldCommitId: null, newCommitId: a }],
    head.length,
  ])
})

test('readPushCommands calls a request that ends early malformed', async () => {
  assert.deepEqual(await readPushCommands(cut(head.subarray(0, -1), 20)), { kind: 'malformed' })
})

test('readPushCommands counts the updates', async () => {
  const line = encodePktLine(`${zero} ${a} refs/heads/x`)
  const body = (count: number) => cut(Buffer.concat([...Array<Uint8Array>(count).fill(line), flushPkt]), 65_536)
  const kinds = [
    (await readPushCommands(body(maxRefUpdates))).kind,
    (await readPushCommands(body(maxRefUpdates + 1))).kind,
  ]
  assert.deepEqual(kinds, ['commands', 'too-many-updates'])
})

test('readPushCommands stops reading an endless list', async () => {
  const line = encodePktLine(`${zero} ${a} refs/heads/${'x'.repeat(60_000)}`)
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(line) })
  assert.deepEqual(await readPushCommands(endless), { kind: 'too-many-updates' })
})

function cut(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}
