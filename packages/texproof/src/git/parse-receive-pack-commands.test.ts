import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { parseReceivePackCommands } from './parse-receive-pack-commands.ts'
import { encodePktLine, flushPkt } from './pkt-line.ts'

const zero = '0'.repeat(40)
const a = 'a'.repeat(40)
const b = 'b'.repeat(40)

test('parseReceivePackCommands reads creation, update and deletion', () => {
  const bytes = request(
    `${zero} ${a} refs/heads/new\0 report-status side-band-64k agent=git/2.39\n`,
    `${a} ${b} refs/heads/ü`,
    `${b} ${zero} refs/tags/v1\n`,
  )
  assert.deepEqual(parseReceivePackCommands(Buffer.concat([bytes, Buffer.from('PACK…')])), {
    kind: 'commands',
    commands: {
      updates: [
        { ref: 'refs/heads/new', oldCommitId: null, newCommitId: a },
        { ref: 'refs/heads/ü', oldCommitId: a, newCommitId: b },
        { ref: 'refs/tags/v1', oldCommitId: b, newCommitId: null },
      ],
      capabilities: new Set(['report-status', 'side-band-64k', 'agent=git/2.39']),
      sideBand: 'side-band-64k',
      byteLength: bytes.length,
    },
  })
})

test('parseReceivePackCommands takes a lone flush for a push of nothing', () => {
  const commands = { updates: [], capabilities: new Set(), sideBand: null, byteLength: 4 }
  assert.deepEqual(parseReceivePackCommands(flushPkt), { kind: 'commands', commands })
})

test('parseReceivePackCommands skips the shallow lines of a shallow clone', () => {
  const read = parseReceivePackCommands(request(`shallow ${a}`, `${zero} ${b} refs/heads/x\0side-band`))
  assert.deepEqual(read.kind === 'commands' && [read.commands.updates, read.commands.sideBand], [
    [{ ref: 'refs/heads/x', oldCommitId: null, newCommitId: b }],
    'side-band',
  ])
})

test('parseReceivePackCommands reads 64-digit ids', () => {
  const long = 'c'.repeat(64)
  const read = parseReceivePackCommands(request(`${'0'.repeat(64)} ${long} refs/heads/x\0`))
  assert.deepEqual(read.kind === 'commands' && read.commands.updates, [
    { ref: 'refs/heads/x', oldCommitId: null, newCommitId: long },
  ])
})

const malformed = {
  'a delimiter': Buffer.from('0001'),
  'ids of two lengths': request(`${zero} ${'a'.repeat(64)} refs/heads/x\0`),
  'no ref': request(`${zero} ${a} \0`),
  'upper-case ids': request(`${zero} ${a.toUpperCase()} refs/heads/x\0`),
  'a push certificate': request('push-cert\0 report-status\n'),
  'a name that is not UTF-8': Buffer.concat([
    encodePktLine(Buffer.concat([Buffer.from(`${zero} ${a} refs/heads/`), Buffer.of(0xff)])),
    flushPkt,
  ]),
  'capabilities twice': request(`${zero} ${a} refs/heads/x\0a`, `${zero} ${a} refs/heads/y\0b`),
  'no packet at all': Buffer.from('GET / HTTP/1.1'),
}

for (const [what, bytes] of Object.entries(malformed)) {
  test(`parseReceivePackCommands calls ${what} malformed`, () => {
    assert.deepEqual(parseReceivePackCommands(bytes), { kind: 'malformed' })
  })
}

test('parseReceivePackCommands asks for more at every cut before the flush', () => {
  const bytes = request(`${zero} ${a} refs/heads/x\0 report-status`, `${zero} ${b} refs/heads/y`)
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), (cut) => {
      assert.deepEqual(parseReceivePackCommands(bytes.subarray(0, cut)), { kind: 'incomplete' })
    }),
  )
})

function request(...lines: readonly string[]): Uint8Array {
  return Buffer.concat([...lines.map(encodePktLine), flushPkt])
}
