import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, profileOf } from '../../../test/support/expected.ts'

let host: ApiHost
before(async () => (host = await openApiHost()))
after(() => host.close())

test('GET /users/{username} answers a profile to every caller, whatever the case of the name', async () => {
  const { user } = await host.addUser('Alice')
  const { status, body } = await host.call({ target: '/users/aLiCe' })
  assert.deepEqual({ status, body }, { status: 200, body: profileOf(user, host.baseUrl, 0) })
})

test('GET /users/{username} returns the address of the avatar', async () => {
  const { user } = await host.addUser('bob')
  await host.store.avatars.setOfUser(user.id, { id: 'abc123', contentType: 'image/webp', bytes: new Uint8Array(1) })
  const { body } = await host.call({ target: '/users/bob' })
  const changed = await host.store.users.findById(user.id)
  const expected = {
    ...profileOf(changed ?? user, host.baseUrl, 0),
    avatar_url: `${host.baseUrl}/assets/avatars/abc123`,
  }
  assert.deepEqual(body, expected)
})

test('GET /users/{username} does not reveal the administrators of the host', async () => {
  const { user } = await host.addUser('root-like')
  await host.store.users.setAdmin(user.id, true)
  const { body } = await host.call({ target: '/users/root-like' })
  assert.deepEqual(body, profileOf(user, host.baseUrl, 0))
})

for (const name of ['nobody', '__proto__', 'alice%00', 'alice%2Frepos', '%F0%9F%98%80']) {
  test(`GET /users/${name} answers 404`, async () => {
    const { status, body } = await host.call({ target: `/users/${name}` })
    assert.equal(status, 404)
    assert.deepEqual(
      { ...errorOf(404, 'Not Found'), ...Object(body), documentation_url: '' },
      {
        ...errorOf(404, 'Not Found'),
        documentation_url: '',
      },
    )
  })
}
