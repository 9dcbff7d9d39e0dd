import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'

import fc from 'fast-check'

import { encodePktLine, flushPkt } from './pkt-line.ts'
import { encodePushCommands, readPushCommands } from './read-push-commands.ts'

const zero = '0'.repeat(40)
const a = 'a'.repeat(40)
const head = Buffer.concat([
  encodePktLine(`shallow ${a}`),
  encodePktLine(`${zero} ${a} refs/heads/main\0 report-status side-band-64k`),
  encodePktLine(`${a} ${zero} refs/pull/1/head`),
  flushPkt,
])

test('readPushCommands() reads refs and capabilities and leaves the pack, however the request is split', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 300 }), async (pack, size) => {
      const read = await readPushCommands(cut(Buffer.concat([head, pack]), size))
      assert.equal(read.kind, 'commands')
      const { commands, capabilities, sideBand, shallowLines } = read.push
      assert.deepEqual(
        [commands.map(({ ref }) => ref), [...capabilities], sideBand, shallowLines.length],
        [['refs/heads/main', 'refs/pull/1/head'], ['report-status', 'side-band-64k'], 'side-band-64k', 1],
      )
      assert.deepEqual(await buffer(read.body), Buffer.from(pack))
    }),
  )
})

test('encodePushCommands() encodes some of the refs, which can be parsed again', async () => {
  const read = await readPushCommands(cut(head, 20))
  assert.equal(read.kind, 'commands')
  const [, second] = read.push.commands
  assert.ok(second)
  const encoded = Buffer.from(encodePushCommands(read.push, [second]))
  const again = await readPushCommands(cut(encoded, 50))
  assert.deepEqual(again.kind === 'commands' && again.push, { ...read.push, commands: [second] })
})

test('readPushCommands() drops push options, of any length, before the pack', async () => {
  const command = `${zero} ${a} refs/heads/main\0report-status push-options`
  const options = Array.from({ length: 200 }, () => encodePktLine('x'.repeat(60_000))).flat()
  const pack = Buffer.from('PACK')
  const request = Buffer.concat([encodePktLine(command), flushPkt, ...options, flushPkt, pack])
  const read = await readPushCommands(cut(request, 50_000))
  assert.equal(read.kind, 'commands')
  assert.deepEqual(await buffer(read.body), pack)
  const expected = Buffer.concat([encodePktLine(`${zero} ${a} refs/heads/main\0report-status`), flushPkt])
  assert.deepEqual(Buffer.from(encodePushCommands(read.push, read.push.commands)), expected)
})

test('readPushCommands() accepts a single flush as an empty push', async () => {
  const read = await readPushCommands(cut(Buffer.from(flushPkt), 4))
  const push = { commands: [], capabilities: new Set(), sideBand: null, shallowLines: [] }
  assert.deepEqual(read.kind === 'commands' && read.push, push)
})

const malformed = {
  'a request that ends early': head.subarray(0, -1),
  'a delimiter': Buffer.from('0001'),
  'capabilities twice': Buffer.concat([
    encodePktLine(`${zero} ${a} refs/heads/x\0a`),
    encodePktLine(`${zero} ${a} refs/heads/y\0b`),
    flushPkt,
  ]),
  'no packet at all': Buffer.from('GET / HTTP/1.1'),
}

for (const [what, bytes] of Object.entries(malformed)) {
  test(`readPushCommands() reports ${what} as malformed`, async () => {
    assert.deepEqual(await readPushCommands(cut(bytes, 20)), { kind: 'malformed' })
  })
}

test('readPushCommands() stops reading an endless list', async () => {
  const line = encodePktLine(`${zero} ${a} refs/heads/${'x'.repeat(60_000)}`)
  const endless = new Readable({
    read() {
      this.push(line)
    },
  })
  assert.equal((await readPushCommands(endless)).kind, 'too-long')
})

function cut(bytes: Uint8Array, size: number): Readable {
  let at = 0
  return new Readable({
    read() {
      const chunk = bytes.slice(at, at + size)
      at += size
      this.push(chunk.length === 0 ? null : chunk)
    },
  })
}
