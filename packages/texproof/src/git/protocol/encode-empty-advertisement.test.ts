import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'

import { openTestStore } from '../../../test/support/git/git-repository.ts'
import { encodeEmptyAdvertisement } from './encode-empty-advertisement.ts'
import { encodeServiceHeader } from './pkt-line.ts'

test("the advertisement of a repository that does not exist yet equals git's of an empty one", async (t) => {
  const { store } = await openTestStore(t)
  await store.createRepository(1, { defaultBranch: 'main', initialCommit: null })
  const { signal } = new AbortController()
  const asked = { service: 'receive-pack', advertise: true, protocol: null, signal, maxInputBytes: 0 } as const
  const served = store.servePack(1, asked)
  served.stdin.end()
  const own = Buffer.concat([encodeServiceHeader('receive-pack', null), await buffer(served.stdout)]).toString('latin1')
  assert.deepEqual(withoutAgent(Buffer.from(encodeEmptyAdvertisement()).toString('latin1')), withoutAgent(own))
})

/** The lines without their lengths, which depend on the agent name. */
function withoutAgent(text: string): string {
  return text.replace(/ agent=\S+/, '').replace(/[0-9a-f]{4}(?=0{40} )/, '')
}
