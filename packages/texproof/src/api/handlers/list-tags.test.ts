import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../../test/support/hosts/api-host.ts'
import { errorOf } from '../../../test/support/expected.ts'
import { runTestGit } from '../../../test/support/programs/run-program.ts'
import { seedCommit, seedRefs } from '../../../test/support/git/seed-refs.ts'

let host: ApiHost
let gitDir: string
let commitId: string
before(async () => {
  host = await openApiHost()
  const { user } = await host.addUser('alice')
  const repository = await host.addRepository(user, 'tides')
  gitDir = host.git.gitDir(repository.id)
  commitId = await seedCommit(gitDir, 'main')
  await seedRefs(
    gitDir,
    ['v1.0.0', 'v1.0.0-rc.2', 'v1.0.0-rc.10'].map((tag) => `refs/tags/${tag}`),
    commitId,
  )
})
after(() => host.close())

test('GET /repos/{owner}/{repo}/tags answers tags newest version first, each with its commit', async () => {
  const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@private.example']
  await runTestGit(gitDir, [...identity, 'tag', '-a', '-m', 'annotated', 'v2.0.0', commitId])
  await runTestGit(gitDir, [...identity, 'tag', '-a', '-m', 'nested', 'v3.0.0', 'v2.0.0'])
  await runTestGit(gitDir, ['tag', 'a-tree', 'main^{tree}'])
  await runTestGit(gitDir, ['tag', 'a-blob', 'main:main.tex'])
  const { status, body } = await host.call({ target: '/repos/Alice/Tides/tags' })
  const url = `${host.baseUrl}/api/v3/repos/alice/tides/commits/${commitId}`
  const names = ['v3.0.0', 'v2.0.0', 'v1.0.0', 'v1.0.0-rc.10', 'v1.0.0-rc.2']
  assert.deepEqual(
    { status, body },
    { status: 200, body: names.map((name) => ({ name, commit: { sha: commitId, url } })) },
  )
})

test('GET /repos/{owner}/{repo}/tags counts only the tags it lists', async () => {
  const { headers } = await host.call({ target: '/repos/alice/tides/tags?per_page=5' })
  assert.equal(headers['link'], undefined)
})

test('GET /repos/{owner}/{repo}/tags answers 404 for a missing repository', async () => {
  const { status, body } = await host.call({ target: '/repos/alice/none/tags' })
  assert.deepEqual([status, body], [404, errorOf(404, 'Not Found', '/repos/repos#list-repository-tags')])
})
