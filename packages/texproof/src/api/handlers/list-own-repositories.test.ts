import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, permissions, repositoryOf } from '../../../test/support/expected.ts'
import type { Repository, User } from '../../domain/types.ts'

let host: ApiHost
let alice: { user: User; token: string }
let shared: Repository
before(async () => {
  host = await openApiHost()
  alice = await host.addUser('alice')
  const bob = await host.addUser('bob')
  await host.addRepository(alice.user, 'open')
  await host.addRepository(alice.user, 'secret', { visibility: 'private' })
  shared = await host.addRepository(bob.user, 'shared', { visibility: 'private' })
  const pulled = await host.addRepository(bob.user, 'pulled')
  await host.addRepository(bob.user, 'unrelated')
  await host.store.repositories.setCollaborator(shared.id, alice.user.id, 'push')
  await host.store.repositories.setCollaborator(pulled.id, alice.user.id, 'pull')
})
after(() => host.close())

async function namesFor(query: string): Promise<string> {
  const { body } = await host.call({ target: `/user/repos${query}`, token: alice.token })
  return Array.isArray(body) ? body.map(({ name }) => name).join(' ') : JSON.stringify(body)
}

test('GET /user/repos returns the permissions of the caller', async () => {
  const { body } = await host.call({
    target: '/user/repos?affiliation=collaborator&visibility=private',
    token: alice.token,
  })
  assert.deepEqual(body, [{ ...repositoryOf(shared, host.baseUrl), permissions: permissions.push }])
})

const all = 'open secret pulled shared'
const owned = 'open secret'
for (const [query, names] of Object.entries({
  '': all,
  '?visibility=all': all,
  '?visibility=public': 'open pulled',
  '?visibility=private': 'secret shared',
  '?visibility=PRIVATE': all,
  '?visibility=nonsense': all,
  '?affiliation=owner': owned,
  '?affiliation=collaborator': 'pulled shared',
  '?affiliation=owner,collaborator': all,
  '?affiliation=%20owner%20,%20nonsense': owned,
  '?affiliation=nonsense': all,
  '?affiliation=': all,
  '?affiliation=organization_member': '',
  '?affiliation=organization_member,owner': owned,
  '?type=all': all,
  '?type=owner': owned,
  '?type=member': 'pulled shared',
  '?type=public': 'open pulled',
  '?type=private': 'secret shared',
  '?type=nonsense': all,
  '?type=&visibility=private': 'secret shared',
  '?type=owner&visibility=&affiliation=': owned,
  '?sort=created&direction=asc': 'open secret shared pulled',
  '?sort=full_name&direction=desc': 'shared pulled secret open',
})) {
  test(`GET /user/repos${query} answers ${names || 'nothing'}`, async () => {
    assert.equal(await namesFor(query), names)
  })
}

for (const query of ['type=owner&visibility=all', 'type=all&affiliation=owner', 'type=x&visibility=y&affiliation=z']) {
  test(`GET /user/repos?${query} answers 422, since type excludes the others`, async () => {
    const { status, body } = await host.call({ target: `/user/repos?${query}`, token: alice.token })
    const message = 'If you specify visibility or affiliation, you cannot specify type.'
    assert.deepEqual(
      { status, body },
      {
        status: 422,
        body: {
          ...errorOf(422, message, '/repos/repos#list-repositories-for-the-authenticated-user'),
          errors: [{ resource: 'Repository', field: 'type', code: 'custom', message }],
        },
      },
    )
  })
}

test('GET /user/repos answers 401 to an anonymous caller', async () => {
  const { status, body } = await host.call({ target: '/user/repos' })
  const page = '/repos/repos#list-repositories-for-the-authenticated-user'
  assert.deepEqual({ status, body }, { status: 401, body: errorOf(401, 'Requires authentication', page) })
})
