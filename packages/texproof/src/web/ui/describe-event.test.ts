import assert from 'node:assert/strict'
import { test } from 'node:test'

import { describeEvent } from './describe-event.ts'

const event = { id: 1, createdAt: 0, login: 'alice', actor: 'alice', address: null }

test('the version of a share link is described by its short name', () => {
  const describe = (ref: string): string =>
    describeEvent({ ...event, kind: 'share-link-created', detail: `alice/tides ${ref}` })
  assert.deepEqual(['refs/heads/main', 'refs/tags/v1', '1234567890'].map(describe), [
    'Created a share link: alice/tides at main',
    'Created a share link: alice/tides at v1',
    'Created a share link: alice/tides at 1234567890',
  ])
})
