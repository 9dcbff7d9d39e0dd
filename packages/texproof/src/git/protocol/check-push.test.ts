import assert from 'node:assert/strict'
import { test } from 'node:test'

import { checkPush, maxRefUpdates } from './check-push.ts'
import { parsePushLine, type PushCommand } from './parse-push-line.ts'

const command = (ref: string | Uint8Array): PushCommand => {
  const line = parsePushLine(Buffer.concat([Buffer.from(`${'0'.repeat(40)} ${'a'.repeat(40)} `), Buffer.from(ref)]))
  assert.equal(line.kind, 'command')
  return line.command
}

/** The accepted names, and each refused name with its reason. */
function check(commands: readonly PushCommand[], capabilities: readonly string[] = []) {
  const checked = checkPush({ commands, capabilities: new Set(capabilities), sideBand: null, shallowLines: [] })
  const refused = checked.refusals.map(({ refBytes, reason }) => [Buffer.from(refBytes).toString('latin1'), reason])
  return { accepted: checked.accepted.map(({ ref }) => ref), refused }
}

test('checkPush() accepts branches and tags', () => {
  const refs = ['refs/heads/main', 'refs/tags/v1']
  assert.deepEqual(check(refs.map(command)), { accepted: refs, refused: [] })
})

test('checkPush() refuses single refs', () => {
  assert.deepEqual(check(['refs/heads/main', 'refs/pull/1/head'].map(command)), {
    accepted: ['refs/heads/main'],
    refused: [['refs/pull/1/head', 'only branches (refs/heads/) and tags (refs/tags/) can be pushed']],
  })
})

test('checkPush() refuses all refs of an atomic push if it refuses one', () => {
  assert.deepEqual(check(['refs/heads/main', 'refs/pull/1/head'].map(command), ['atomic']), {
    accepted: [],
    refused: [
      ['refs/pull/1/head', 'only branches (refs/heads/) and tags (refs/tags/) can be pushed'],
      ['refs/heads/main', 'atomic push failed: another ref was rejected'],
    ],
  })
})

test('checkPush() refuses a name that is not UTF-8, and returns its bytes unchanged', () => {
  const name = Buffer.from('refs/heads/caf\xe9', 'latin1')
  assert.deepEqual(check([command(name), command('refs/heads/café')]), {
    accepted: ['refs/heads/café'],
    refused: [['refs/heads/caf\xe9', 'the name is not UTF-8']],
  })
})

test('checkPush() refuses all refs of a push with too many', () => {
  const many = (count: number) => check(Array.from({ length: count }, (_, at) => command(`refs/heads/${at}`)))
  const [fits, exceeds] = [many(maxRefUpdates), many(maxRefUpdates + 1)]
  assert.deepEqual(
    [fits.accepted.length, fits.refused.length, exceeds.accepted.length, exceeds.refused.length],
    [maxRefUpdates, 0, 0, maxRefUpdates + 1],
  )
})
