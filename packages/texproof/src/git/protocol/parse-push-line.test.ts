import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parsePushLine } from './parse-push-line.ts'

const zero = '0'.repeat(40)
const a = 'a'.repeat(40)
const b = 'b'.repeat(40)
const long = 'c'.repeat(64)

test('parsePushLine() reads creation, update and deletion, with and without a newline', () => {
  const lines = [`${zero} ${a} refs/heads/new\n`, `${a} ${b} refs/heads/ü`, `${b} ${zero} refs/tags/v1\n`]
  assert.deepEqual(
    lines.map((line) => parsePushLine(Buffer.from(line))),
    [
      command(`${zero} ${a} refs/heads/new`, { ref: 'refs/heads/new', oldCommitId: null, newCommitId: a }),
      command(`${a} ${b} refs/heads/ü`, { ref: 'refs/heads/ü', oldCommitId: a, newCommitId: b }),
      command(`${b} ${zero} refs/tags/v1`, { ref: 'refs/tags/v1', oldCommitId: b, newCommitId: null }),
    ],
  )
})

test('parsePushLine() reads the capabilities after a command', () => {
  const line = parsePushLine(Buffer.from(`${zero} ${a} refs/heads/x\0 report-status atomic\n`))
  assert.equal(line.kind === 'command' && line.capabilities, ' report-status atomic')
})

test('parsePushLine() reads 64-digit ids', () => {
  const line = parsePushLine(Buffer.from(`${'0'.repeat(64)} ${long} refs/heads/x`))
  assert.equal(line.kind === 'command' && line.command.newCommitId, long)
})

test('parsePushLine() keeps a name that is not UTF-8', () => {
  const line = parsePushLine(Buffer.from(`${zero} ${a} refs/heads/\xff`, 'latin1'))
  assert.deepEqual(line.kind === 'command' && [line.command.isText, Buffer.from(line.command.refBytes).at(-1)], [
    false,
    0xff,
  ])
})

test('parsePushLine() reads the boundary of a shallow clone', () => {
  assert.deepEqual(parsePushLine(Buffer.from(`shallow ${a}\n`)), { kind: 'shallow' })
})

const malformed = {
  'ids of two lengths': `${zero} ${long} refs/heads/x`,
  'no ref': `${zero} ${a} \0 report-status`,
  'upper-case ids': `${zero} ${a.toUpperCase()} refs/heads/x`,
  'a push certificate': 'push-cert\0 report-status\n',
  'an empty line': '',
}

for (const [what, line] of Object.entries(malformed)) {
  test(`parsePushLine() reports ${what} as malformed`, () => {
    assert.deepEqual(parsePushLine(Buffer.from(line)), { kind: 'malformed' })
  })
}

function command(line: string, update: { ref: string; oldCommitId: string | null; newCommitId: string | null }) {
  const texts = { bytes: Buffer.from(line), refBytes: Buffer.from(update.ref), isText: true }
  return { kind: 'command', command: { ...update, ...texts }, capabilities: null }
}
