import assert from 'node:assert/strict'
import { test } from 'node:test'

import { encodePushRefusal, refuseRefUpdates } from './refuse-push.ts'

const update = (ref: string) => ({ ref, oldCommitId: null, newCommitId: 'a'.repeat(40) })
const commands = (capabilities: readonly string[], sideBand: 'side-band-64k' | null) => ({
  updates: [],
  capabilities: new Set(capabilities),
  sideBand,
  byteLength: 0,
})

test('refuseRefUpdates lets branches and tags pass', () => {
  assert.deepEqual(refuseRefUpdates([update('refs/heads/main'), update('refs/tags/v1')]), [])
})

test('refuseRefUpdates refuses the whole push for one name', () => {
  assert.deepEqual(refuseRefUpdates([update('refs/heads/main'), update('refs/evil/x')]), [
    { ref: 'refs/heads/main', reason: 'another ref of this push is refused' },
    { ref: 'refs/evil/x', reason: 'only branches (refs/heads/) and tags (refs/tags/) can be pushed' },
  ])
})

test('encodePushRefusal wraps the report in band 1', () => {
  const body = encodePushRefusal(commands(['report-status-v2'], 'side-band-64k'), [{ ref: 'refs/x', reason: 'no' }])
  assert.equal(Buffer.from(body).toString(), '0028\u0001000eunpack ok\n0011ng refs/x no\n00000000')
})

test('encodePushRefusal is the bare report for a client without side bands', () => {
  const body = encodePushRefusal(commands(['report-status'], null), [{ ref: 'refs/x', reason: 'no' }])
  assert.equal(Buffer.from(body).toString(), '000eunpack ok\n0011ng refs/x no\n0000')
})
