import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf, permissions, repositoryOf } from '../../../test/support/expected.ts'
import type { Repository, User } from '../../domain/types.ts'

let host: ApiHost
let alice: { user: User; token: string }
let bob: { user: User; token: string }
let open: Repository
let closed: Repository
before(async () => {
  host = await openApiHost()
  alice = await host.addUser('Alice')
  bob = await host.addUser('bob')
  open = await host.addRepository(alice.user, 'Open', { description: 'The tides of \u{1F30A}' })
  closed = await host.addRepository(alice.user, 'closed', { visibility: 'private' })
})
after(() => host.close())

const notFound = errorOf(404, 'Not Found', '/repos/repos#get-a-repository')

test('GET /repos/{owner}/{repo} answers a public repository without permissions to an anonymous caller', async () => {
  const { status, body } = await host.call({ target: '/repos/alice/OPEN' })
  assert.deepEqual({ status, body }, { status: 200, body: repositoryOf(open, host.baseUrl) })
})

test('GET /repos/{owner}/{repo} lists the permissions of the owner, collaborators and other users', async () => {
  const carol = await host.addUser('carol')
  await host.store.repositories.setCollaborator(open.id, bob.user.id, 'push')
  const bodies = await Promise.all(
    [alice, bob, carol].map(async ({ token }) => (await host.call({ target: '/repos/Alice/Open', token })).body),
  )
  const repository = repositoryOf(open, host.baseUrl)
  assert.deepEqual(
    bodies,
    (['admin', 'push', 'pull'] as const).map((name) => ({ ...repository, permissions: permissions[name] })),
  )
})

test('GET /repos/{owner}/{repo} answers the same 404 for a hidden and for a missing repository', async () => {
  const answers = await Promise.all(
    ['closed', 'missing'].flatMap((name) =>
      [undefined, bob.token].map((token) =>
        host.call({ target: `/repos/Alice/${name}`, ...(token === undefined ? {} : { token }) }),
      ),
    ),
  )
  assert.deepEqual(
    answers.map(({ status, body }) => ({ status, body })),
    answers.map(() => ({ status: 404, body: notFound })),
  )
})

test('GET /repos/{owner}/{repo} shows a private repository as long as the caller is a collaborator', async () => {
  const look = async () => (await host.call({ target: '/repos/Alice/closed', token: bob.token })).status
  await host.store.repositories.setCollaborator(closed.id, bob.user.id, 'pull')
  const during = await look()
  await host.store.repositories.removeCollaborator(closed.id, bob.user.id)
  assert.deepEqual([during, await look()], [200, 404])
})

test('GET /repos/{owner}/{repo} reflects a change of visibility at once', async () => {
  const target = '/repos/Alice/turning'
  const turning = await host.addRepository(alice.user, 'turning')
  const before_ = (await host.call({ target })).status
  await host.store.repositories.change(turning.id, { visibility: 'private' })
  assert.deepEqual([before_, (await host.call({ target })).status], [200, 404])
})

test('GET /repos/{owner}/{repo} finds a repository created after it was answered 404', async () => {
  const look = async () => (await host.call({ target: '/repos/Alice/late' })).status
  const first = await look()
  await host.addRepository(alice.user, 'late')
  assert.deepEqual([first, await look()], [404, 200])
})

test('GET /repos/{owner}/{repo} shows archived, disabled and stars', async () => {
  const repository = await host.addRepository(alice.user, 'old')
  await host.store.repositories.change(repository.id, { isArchived: true, isDisabled: true })
  await host.store.repositories.addStar(repository.id, bob.user.id)
  const changed = await host.store.repositories.findById(repository.id)
  const { body } = await host.call({ target: '/repos/Alice/old' })
  assert.deepEqual(body, {
    ...repositoryOf(changed ?? repository, host.baseUrl),
    archived: true,
    disabled: true,
    stargazers_count: 1,
    watchers_count: 1,
  })
})

for (const path of [
  'Alice/Open.git',
  'Alice/Open/',
  'Alice//Open',
  'Alice/../Alice/Open',
  'Alice/%2e%2e',
  'Alice%2FOpen/x',
  'Alice/Open%00',
  'Alice/Open%FF',
  'Alice/Open%',
  'Alice/Open%zz',
  '%E2%84%AAlice/Open',
]) {
  test(`GET /repos/${path} answers 404`, async () => {
    const { status, body } = await host.call({ target: `/repos/${path}` })
    const { message } = Object(body)
    assert.deepEqual({ status, message }, { status: 404, message: 'Not Found' })
  })
}

test('GET /repos/{owner}/{repo} decodes each segment once', async () => {
  const { status } = await host.call({ target: '/repos/%41lice/%4Fpen' })
  assert.equal(status, 200)
})
