import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { setUserDisabled } from '../../src/accounts/users/administer-user.ts'
import { deleteRepository } from '../../src/operations/repository/delete-repository.ts'
import { openApiHost } from '../support/hosts/api-host.ts'
import type { ApiHost } from '../support/hosts/api-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

let host: ApiHost

before(async () => {
  host = await openApiHost()
})
after(() => host.close())

const deleteUser = (...args: readonly string[]) => runTexproof(['user', 'delete', ...args, '--data', host.dataDir])

async function addDisabled(login: string) {
  const { user } = await host.addUser(login)
  await setUserDisabled(host.store, { user, isDisabled: true, actorId: null })
  return user
}

test('texproof user delete removes a disabled account with its trash, and the audit log names it', async () => {
  const { git, store } = host
  const alice = await addDisabled('alice')
  const repository = await host.addRepository(alice, 'tides')
  await deleteRepository(host, { repository, actor: alice })
  const { exitCode, stdout } = await deleteUser('alice', '--json')
  const [event] = await store.events.list({ userId: null, limit: 1, beforeId: null })
  assert.deepEqual(
    [exitCode, JSON.parse(stdout), await store.users.findById(alice.id), await git.hasRepository(repository.id)],
    [0, { login: 'alice', done: 'delete' }, null, false],
  )
  assert.deepEqual([event?.kind, event?.detail, event?.actor], ['account-deleted', 'alice', null])
})

test('texproof user delete keeps an account that is enabled or owns repositories, and says what to do', async () => {
  const bob = await addDisabled('bob')
  await host.addRepository(bob, 'waves')
  await host.addUser('carol')
  const outcomes = await Promise.all([deleteUser('bob'), deleteUser('carol'), deleteUser('dora')])
  assert.deepEqual(
    outcomes.map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]),
    [
      [1, 'texproof: bob owns repositories. Nothing was deleted'],
      [1, 'texproof: carol is not disabled. Nothing was deleted'],
      [2, `texproof: user "dora" not found in ${host.dataDir}`],
    ],
  )
  assert.match(outcomes[1]?.stderr ?? '', /Disable the account first: .*user disable carol/)
  assert.deepEqual(await host.store.users.findById(bob.id), { ...bob, isDisabled: true })
})
