import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'

test('the newest sealed secret of each kind is listed, with its purpose', async (t) => {
  const { store, owner, repositoryId } = await openTestStore(t)
  await store.secondFactors.add({ userId: owner.id, sealedSecret: 'factor' }, { step: 1, recoveryHashes: ['hash'] })
  for (const sealedSecret of ['old', 'new'])
    await store.webhooks.add({ repositoryId, url: 'https://a.example', sealedSecret, events: ['push'], isActive: true })
  const link = { repositoryId, createdBy: owner.id, hash: 'h', ref: 'refs/heads/main', document: null, expiresAt: null }
  await store.shareLinks.add({ ...link, sealed: 'link' })
  assert.deepEqual(await store.sealedSecrets.listNewest(), [
    { sealed: 'factor', purpose: `second-factor:${owner.id}` },
    { sealed: 'new', purpose: `webhook:${repositoryId}` },
    { sealed: 'link', purpose: `share-link:${repositoryId}` },
  ])
})
