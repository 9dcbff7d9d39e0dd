import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf } from '../../../test/support/expected.ts'
import { seedCommit, seedRefs } from '../../../test/support/git/seed-refs.ts'

let host: ApiHost
let commitId: string
before(async () => {
  host = await openApiHost()
  const { user } = await host.addUser('alice')
  const repository = await host.addRepository(user, 'tides')
  const gitDir = host.git.gitDir(repository.id)
  commitId = await seedCommit(gitDir, 'main')
  const names = ['Zeta', 'alpha', 'feature/a', '\u{1F30A}', '\uE000', 'é']
  await seedRefs(gitDir, [...names.map((name) => `refs/heads/${name}`), 'refs/tags/v1'], commitId)
  await host.addRepository(user, 'secret', { visibility: 'private' })
})
after(() => host.close())

test('GET /repos/{owner}/{repo}/branches answers branches in the order of their UTF-8 bytes', async () => {
  const { status, headers, body } = await host.call({ target: '/repos/Alice/Tides/branches?protected=true' })
  const url = `${host.baseUrl}/api/v3/repos/alice/tides/commits/${commitId}`
  const names = ['Zeta', 'alpha', 'feature/a', 'main', 'é', '\uE000', '\u{1F30A}']
  assert.deepEqual(
    { status, link: headers['link'], body },
    {
      status: 200,
      link: undefined,
      body: names.map((name) => ({ name, commit: { sha: commitId, url }, protected: false })),
    },
  )
})

test('GET /repos/{owner}/{repo}/branches links its pages under the requested path', async () => {
  const { headers, body } = await host.call({ target: '/repos/Alice/TIDES/branches?per_page=3&page=2' })
  const link = (page: number, relation: string) =>
    `<${host.baseUrl}/api/v3/repos/Alice/TIDES/branches?per_page=3&page=${page}>; rel="${relation}"`
  assert.deepEqual(Array.isArray(body) && body.map(({ name }) => name), ['main', 'é', '\uE000'])
  assert.equal(headers['link'], [link(1, 'prev'), link(3, 'next'), link(3, 'last'), link(1, 'first')].join(', '))
})

test('GET /repos/{owner}/{repo}/branches answers 404 for a hidden and a missing repository', async () => {
  const answers = await Promise.all(
    ['secret', 'none'].map((name) => host.call({ target: `/repos/alice/${name}/branches` })),
  )
  const expected = errorOf(404, 'Not Found', '/branches/branches#list-branches')
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body]),
    [
      [404, expected],
      [404, expected],
    ],
  )
})

test('GET /repos/{owner}/{repo}/branches of a disabled repository is answered for its administrators', async () => {
  const { user, token } = await host.addUser('bob')
  const { id } = await host.addRepository(user, 'shut', { autoInit: true })
  await host.store.repositories.change(id, { isDisabled: true })
  const statuses = await Promise.all(
    ['branches', 'branches/main', 'tags', ''].flatMap((path) => {
      const target = `/repos/bob/shut${path === '' ? '' : `/${path}`}`
      return [host.call({ target, token }), host.call({ target })]
    }),
  )
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 404, 200, 404, 200, 404, 200, 200],
  )
})

test('a repository that is missing on disk is an internal error, and not one without branches and tags', async () => {
  const { user } = await host.addUser('carol')
  const { id } = await host.addRepository(user, 'lost', { autoInit: true })
  await host.git.removeRepository(id)
  const answers = await Promise.all(
    ['branches', 'branches/main', 'tags'].map((path) => host.call({ target: `/repos/carol/lost/${path}` })),
  )
  assert.deepEqual(
    answers.map(({ body }) => body),
    [
      errorOf(500, 'Server Error', '/branches/branches#list-branches'),
      errorOf(500, 'Server Error', '/branches/branches#get-a-branch'),
      errorOf(500, 'Server Error', '/repos/repos#list-repository-tags'),
    ],
  )
})
