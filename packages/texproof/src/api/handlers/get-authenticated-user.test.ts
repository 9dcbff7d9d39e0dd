import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, profileOf } from '../../../test/support/expected.ts'

let host: ApiHost
before(async () => (host = await openApiHost()))
after(() => host.close())

test('GET /user answers the profile of the caller, without the email address', async () => {
  const { user, token } = await host.addUser('Alice')
  await host.store.users.changeProfile(user.id, { name: 'Alice Author', bio: 'Tides.', email: 'alice@example.org' })
  await host.addRepository(user, 'open')
  await host.addRepository(user, 'closed', { visibility: 'private' })
  const changed = await host.store.users.findById(user.id)
  const { status, body } = await host.call({ target: '/user', token })
  assert.deepEqual({ status, body }, { status: 200, body: profileOf(changed ?? user, host.baseUrl, 1) })
})

test('GET /user needs no scope', async () => {
  const { user } = await host.addUser('bob')
  const { status } = await host.call({ target: '/user', token: await host.addToken(user, []) })
  assert.equal(status, 200)
})

test('GET /user answers 401 to an anonymous caller', async () => {
  const { status, body } = await host.call({ target: '/user' })
  const expected = errorOf(401, 'Requires authentication', '/users/users#get-the-authenticated-user')
  assert.deepEqual({ status, body }, { status: 401, body: expected })
})
