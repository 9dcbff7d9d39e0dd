import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { User } from '../../domain/types.ts'
import { openStore } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { addUser } from '../users/add-user.ts'
import { authenticateToken } from './authenticate-token.ts'
import { createToken } from './create-token.ts'

test('authenticateToken() returns the user and the scopes of a token', async (context) => {
  const { store, user } = await storeWithUser(context)
  const details = { userId: user.id, name: 't', scopes: ['repo:write'] as const, expiresAt: null }
  const { text, token } = await createToken(store, details)
  const caller = { user, scopes: ['repo:write'], tokenId: token.id }
  assert.deepEqual(await authenticateToken(store, text), caller)
})

test('authenticateToken() returns null for a token that is unknown, expired or revoked', async (context) => {
  const { store, user } = await storeWithUser(context)
  const details = { userId: user.id, name: 't', scopes: [] }
  const expired = await createToken(store, { ...details, expiresAt: Date.now() - 1 })
  const revoked = await createToken(store, { ...details, expiresAt: null })
  assert.notEqual(await authenticateToken(store, revoked.text), null)
  await store.tokens.remove(revoked.token.id, { userId: user.id })
  const texts = [expired.text, revoked.text, 'pst_', `${revoked.text}x`]
  assert.deepEqual(await Promise.all(texts.map((text) => authenticateToken(store, text))), [null, null, null, null])
})

test('authenticateToken() returns null for a disabled user', async (context) => {
  const { store, user } = await storeWithUser(context)
  const { text } = await createToken(store, { userId: user.id, name: 't', scopes: [], expiresAt: null })
  await store.users.setDisabled(user.id, true)
  assert.equal(await authenticateToken(store, text), null)
})

test('authenticateToken() records the use of an expired token', async (context) => {
  const { store, user } = await storeWithUser(context)
  const details = { userId: user.id, name: 't', scopes: [], expiresAt: Date.now() - 1 }
  const { text } = await createToken(store, details)
  await authenticateToken(store, text)
  const [token] = await store.tokens.listOfUser(user.id)
  assert.deepEqual([token?.lastUsedRoute, token?.lastRefusedRoute], [null, 'used after it expired'])
})

async function storeWithUser(context: TestContext): Promise<{ store: Store; user: User }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-token-'))
  const store = await openStore({ dataDir })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const outcome = await addUser(store, { login: 'alice' })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return { store, user: outcome.user }
}
