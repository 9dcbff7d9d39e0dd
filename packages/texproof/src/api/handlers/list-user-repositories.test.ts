import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, repositoryOf } from '../../../test/support/expected.ts'
import type { Repository, User } from '../../domain/types.ts'

let host: ApiHost
let alice: { user: User; token: string }
let repositories: Record<'b' | 'A' | 'c', Repository>
before(async () => {
  host = await openApiHost()
  alice = await host.addUser('alice')
  repositories = {
    b: await host.addRepository(alice.user, 'b'),
    A: await host.addRepository(alice.user, 'A'),
    c: await host.addRepository(alice.user, 'c'),
  }
  await host.addRepository(alice.user, 'secret', { visibility: 'private' })
})
after(() => host.close())

test('GET /users/{username}/repos answers the public repositories by name, even to their owner, without permissions', async () => {
  const { A, b, c } = repositories
  const expected = [A, b, c].map((repository) => repositoryOf(repository, host.baseUrl))
  const answers = await Promise.all([
    host.call({ target: '/users/ALICE/repos' }),
    host.call({ target: '/users/alice/repos?type=private', token: alice.token }),
  ])
  assert.deepEqual(
    answers.map(({ body }) => body),
    [expected, expected],
  )
})

for (const [query, names] of Object.entries({
  'direction=desc': 'cbA',
  'sort=created': 'cAb',
  'sort=created&direction=asc': 'bAc',
  'sort=nonsense&direction=sideways': 'Abc',
  'sort=': 'Abc',
  'sort=created&sort=full_name': 'Abc',
})) {
  test(`GET /users/{username}/repos?${query} answers in the order ${names}`, async () => {
    const { body } = await host.call({ target: `/users/alice/repos?${query}` })
    assert.equal(Array.isArray(body) ? body.map(({ name }) => name).join('') : body, names)
  })
}

for (const sort of ['updated', 'pushed']) {
  test(`GET /users/{username}/repos?sort=${sort} puts the newest change first`, async () => {
    const { user } = await host.addUser(`by-${sort}`)
    const first = await host.addRepository(user, 'first')
    await host.addRepository(user, 'second')
    await new Promise((resolve) => setTimeout(resolve, 5))
    await host.store.repositories.touch(first.id)
    const { body } = await host.call({ target: `/users/by-${sort}/repos?sort=${sort}` })
    assert.deepEqual(Array.isArray(body) && body.map(({ name }) => name), ['first', 'second'])
  })
}

test('GET /users/{username}/repos answers an empty list for a user without repositories, and 404 for an unknown user', async () => {
  await host.addUser('bob')
  const known = await host.call({ target: '/users/bob/repos' })
  const unknown = await host.call({ target: '/users/nobody/repos' })
  assert.deepEqual([known.status, known.body], [200, []])
  assert.deepEqual(
    [unknown.status, unknown.body],
    [404, errorOf(404, 'Not Found', '/repos/repos#list-repositories-for-a-user')],
  )
})

test('GET /users/{username}/repos does not count hidden repositories in its Link header', async () => {
  const { headers } = await host.call({ target: '/users/alice/repos?per_page=3' })
  assert.equal(headers['link'], undefined)
})
