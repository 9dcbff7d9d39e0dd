import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { openStore } from '../../store/store.ts'
import { addUser } from '../users/add-user.ts'
import { createToken } from './create-token.ts'
import { createTemporaryToken } from './create-temporary-token.ts'

test('createTemporaryToken() deletes expired temporary tokens and no others', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-token-'))
  const store = await openStore({ dataDir })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  const outcome = await addUser(store, { login: 'alice' })
  assert.ok(outcome.kind === 'added')
  const userId = outcome.user.id
  const ended = { userId, scopes: [], expiresAt: Date.now() - 1 } as const
  await createToken(store, { ...ended, name: 'API page, for an hour' })
  await createToken(store, { ...ended, name: 'my laptop' })
  await createTemporaryToken(store, { userId, address: null })
  await createTemporaryToken(store, { userId, address: null })
  const names = (await store.tokens.listOfUser(userId)).map(({ name }) => name)
  assert.deepEqual(names, ['API page, for an hour', 'API page, for an hour', 'my laptop'])
})
