import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { User } from '../../domain/types.ts'
import { findInvite, makeInvite } from '../join/invite.ts'
import { addUser } from './add-user.ts'
import { openStore } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { makeAdministrator, setUserDisabled } from './administer-user.ts'
import { findReset, makeResetCode } from '../credentials/reset-password.ts'
import { findPendingSignIn, openPendingSignIn } from '../second-factor/pending-sign-in.ts'
import { findSession, openSession } from '../session/session-cookie.ts'

let dataDir: string
let store: Store
let alice: User
let bob: User

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'texproof-administer-'))
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

test('enabling a disabled account does not revive its pending sign-ins and links', async () => {
  const user = alice
  const client = { address: '192.0.2.7', agent: '' }
  const reset = await makeResetCode(store, { user, createdBy: null })
  const { secret: step } = await openPendingSignIn(store, user)
  const { secret: session } = await openSession(store, user, { client, isRemembered: true })
  const find = async () => [
    (await findReset(store, reset))?.login,
    (await findPendingSignIn(store, step))?.login,
    (await findSession(store, session, client))?.user.login,
  ]
  assert.deepEqual(await find(), ['alice', 'alice', 'alice'])
  await setUserDisabled(store, { user, isDisabled: true, actorId: null })
  await setUserDisabled(store, { user, isDisabled: false, actorId: null })
  assert.deepEqual(await find(), [undefined, undefined, undefined])
})

test('of two administrators who disable each other at the same time, one stays enabled', async () => {
  for (const user of [alice, bob]) await makeAdministrator(store, { user, actorId: null })
  const outcomes = await Promise.all([
    setUserDisabled(store, { user: bob, isDisabled: true, actorId: alice.id }),
    setUserDisabled(store, { user: alice, isDisabled: true, actorId: bob.id }),
  ])
  const users = await store.users.list({ text: '', limit: 10, offset: 0 })
  assert.deepEqual(outcomes.toSorted(), ['last-administrator', null])
  assert.deepEqual(users.map(({ isDisabled }) => isDisabled).toSorted(), [false, true])
})

test('the invitations and password resets that an administrator created end when the account is disabled', async () => {
  const [carol, dave] = [await add('carol'), await add('dave')]
  const invite = await makeInvite(store, { createdBy: carol.id, email: null })
  const other = await makeInvite(store, { createdBy: dave.id, email: null })
  const reset = await makeResetCode(store, { user: dave, createdBy: carol.id })
  const find = async () => [
    await findInvite(store, { code: invite, areCoauthorsAllowed: false }),
    await findInvite(store, { code: other, areCoauthorsAllowed: false }),
    (await findReset(store, reset))?.login,
  ]
  const valid = { purpose: 'invite', email: null }
  const before = await find()
  await setUserDisabled(store, { user: carol, isDisabled: true, actorId: null })
  const disabled = await find()
  assert.deepEqual(
    [before, disabled],
    [
      [valid, valid, 'dave'],
      [null, valid, undefined],
    ],
  )
})
