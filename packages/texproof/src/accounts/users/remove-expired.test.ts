import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { addUser } from './add-user.ts'
import { openStore } from '../../store/store.ts'
import { removeExpired } from './remove-expired.ts'

test('expired and used items are removed, open ones stay', async (context) => {
  const store = await openStore({ dataDir: makeFolder({ after }) })
  context.after(() => store.close())
  const outcome = await addUser(store, { login: 'alice' })
  assert.ok(outcome.kind === 'added')
  const userId = outcome.user.id
  const now = Date.now()
  for (const [hash, expiresAt] of [
    ['ended', now - 1],
    ['used', now + 86_400_000],
    ['open', now + 86_400_000],
  ] as const) {
    await store.codes.add({ hash, purpose: 'invite', userId: null, email: null, createdBy: null, expiresAt })
    await store.sessions.add({ userId, hash, address: '::1', agent: '', expiresAt })
  }
  await store.codes.take('used', 'invite')
  await removeExpired(store, now)
  await store.codes.giveBack('used')
  assert.equal((await store.codes.listOpen('invite', { limit: 10 })).length, 2)
  await store.codes.take('used', 'invite')
  await removeExpired(store, Date.now() + 3_600_000)
  await store.codes.giveBack('used')
  assert.equal((await store.codes.listOpen('invite', { limit: 10 })).length, 1)
  assert.equal(await store.sessions.findByHash('ended'), null)
  assert.equal((await store.sessions.listOfUser(userId)).length, 2)
})
