import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { User } from '../../domain/types.ts'
import { addUser } from '../users/add-user.ts'
import { openStore } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { removePasskey } from './remove-passkey.ts'

const issuer = 'https://issuer.example'

let dataDir: string
let store: Store
let alice: User
let bob: User

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'texproof-remove-passkey-'))
  store = await openStore({ dataDir })
  alice = await add('alice')
  bob = await add('bob')
})
after(async () => {
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function add(login: string): Promise<User> {
  const outcome = await addUser(store, { login })
  if (outcome.kind === 'refused') throw new Error(outcome.reason)
  return outcome.user
}

async function addPasskey(user: User, id: string): Promise<void> {
  await store.passkeys.add({ id, userId: user.id, name: id, publicKey: '', counter: 0, transports: [] })
}

function remove(user: User, id: string, trusted: string | null = null) {
  return removePasskey(store, { user, id, issuer: trusted, address: '192.0.2.7' })
}

test('the last passkey of an account without a password cannot be removed', async () => {
  await addPasskey(alice, 'laptop')
  await addPasskey(alice, 'phone')
  assert.deepEqual([await remove(alice, 'laptop'), await remove(alice, 'phone')], [null, 'only-sign-in-method'])
})

test('the last passkey can be removed if the trusted identity provider can sign the owner in', async () => {
  await addPasskey(bob, 'tablet')
  await store.identities.add({ issuer, subject: 'bob' }, { userId: bob.id })
  assert.deepEqual(
    [await remove(bob, 'tablet', null), await remove(bob, 'tablet', issuer)],
    ['only-sign-in-method', null],
  )
})

test('a passkey of another user is reported as unknown', async () => {
  await addPasskey(alice, 'key')
  assert.deepEqual([await remove(bob, 'key', issuer), await remove(bob, 'none', issuer)], ['unknown', 'unknown'])
})
