import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { openStore } from '../../store/store.ts'
import { addUser, isEmail } from './add-user.ts'

test('addUser() refuses invalid input, with the reason', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-user-'))
  const store = await openStore({ dataDir })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  await addUser(store, { login: 'alice', email: 'alice@example.org' })
  const attempts = [
    { login: '-' },
    { login: 'Settings' },
    { login: 'Alice' },
    { login: 'bob', email: 'nowhere' },
    { login: 'bob', email: 'ALICE@example.org' },
    { login: 'bob', password: 'short' },
  ]
  const outcomes = await Promise.all(attempts.map((attempt) => addUser(store, attempt)))
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.reason : outcome.kind)),
    ['invalid-login', 'reserved-login', 'login-taken', 'invalid-email', 'email-taken', 'invalid-password'],
  )
  assert.equal(await store.users.count(), 1)
})

test('isEmail() accepts one address, without the characters of lists, names and comments', () => {
  const texts = [
    'alice@uni.example',
    "alice.o'hara+papers@uni.example",
    'älice@üni.example',
    '<alice@uni.example>',
    'alice@uni.example>',
    'alice@uni.example,',
    'bob;alice@uni.example',
    '"alice"@uni.example',
    '(bob)alice@uni.example',
    'alice@[192.0.2.1]',
    'alice@uni@example',
    'alice',
  ]
  assert.deepEqual(texts.filter(isEmail), texts.slice(0, 3))
})
