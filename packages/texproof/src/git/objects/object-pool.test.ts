import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'

import { git, initialCommit, makeTestFolder, openTestStore } from '../../../test/support/git/git-repository.ts'
import { ObjectPool, type ObjectPoolOptions } from './object-pool.ts'
import { defaultSearchPath } from '../process/spawn-git.ts'

const info = (objectId: string) => ({ command: 'info', objectId, peelTo: null }) as const
const contents = (objectId: string) => ({ command: 'contents', objectId, peelTo: null }) as const

/** Repositories 1 to `count`, each with one commit, and a pool over them. */
async function openPool(t: TestContext, count: number, options: Partial<ObjectPoolOptions> = {}) {
  const { store } = await openTestStore(t)
  const repositories: { gitDir: string; commitId: string }[] = []
  for (let id = 1; id <= count; id += 1) {
    await store.createRepository(id, { defaultBranch: 'main', initialCommit: initialCommit({ 'a.tex': `text ${id}` }) })
    repositories.push({ gitDir: store.gitDir(id), commitId: git(store.gitDir(id), ['rev-parse', 'HEAD']) })
  }
  const pool = new ObjectPool({ searchPath: defaultSearchPath, ...options })
  t.after(() => pool.close())
  return { pool, repositories }
}

test('ObjectPool serves more repositories at once than it has processes', async (t) => {
  const { pool, repositories } = await openPool(t, 6, { maxProcesses: 2 })
  const asked = [...repositories, ...repositories, ...repositories]
  const replies = await Promise.all(asked.map(({ gitDir, commitId }) => pool.ask(gitDir, [info(commitId)])))
  assert.deepEqual(
    replies.map(([reply]) => reply?.kind === 'object' && reply.objectId),
    asked.map(({ commitId }) => commitId),
  )
})

test('ObjectPool answers again after its processes were idle', async (t) => {
  const { pool, repositories } = await openPool(t, 1, { idleMs: 1 })
  const [one] = repositories
  assert.ok(one)
  const kinds: (string | undefined)[] = []
  for (let round = 0; round < 4; round += 1) {
    kinds.push((await pool.ask(one.gitDir, [info(one.commitId)]))[0]?.kind)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
  assert.deepEqual(kinds, ['object', 'object', 'object', 'object'])
})

test('ObjectPool reports as damaged only the object that crashes git', async (t) => {
  const { pool, repositories } = await openPool(t, 1)
  const [one] = repositories
  assert.ok(one)
  const bad = git(one.gitDir, ['hash-object', '-w', '--stdin'], { input: 'bad'.repeat(1_000) })
  const file = path.join(one.gitDir, 'objects', bad.slice(0, 2), bad.slice(2))
  chmodSync(file, 0o600)
  writeFileSync(file, readFileSync(file).subarray(0, 20))
  const replies = await pool.ask(one.gitDir, [
    info(one.commitId),
    contents(bad),
    info(one.commitId),
    contents(bad),
    info(one.commitId),
  ])
  assert.deepEqual(
    replies.map(({ kind }) => kind),
    ['object', 'damaged', 'object', 'damaged', 'object'],
  )
})

test('ObjectPool reports everything in a folder without a repository as damaged', async (t) => {
  const { pool } = await openPool(t, 0)
  const replies = await pool.ask(makeTestFolder(t), [info('a'.repeat(40)), info('b'.repeat(40))])
  assert.deepEqual(replies, [{ kind: 'damaged' }, { kind: 'damaged' }])
})

test('ObjectPool kills a git process that does not answer in time', async (t) => {
  const folder = makeTestFolder(t)
  writeFileSync(path.join(folder, 'git'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const { pool } = await openPool(t, 0, { searchPath: `${folder}:/usr/bin:/bin`, silenceMs: 50 })
  assert.deepEqual(await pool.ask(folder, [info('a'.repeat(40))]), [{ kind: 'damaged' }])
})

test('ObjectPool asks again if a git process is killed before it answers', async (t) => {
  const folder = makeTestFolder(t)
  const script = `#!/bin/sh
if mkdir '${folder}/killed' 2>/dev/null; then kill -9 $$; fi
exec /usr/bin/git "$@"
`
  writeFileSync(path.join(folder, 'git'), script, { mode: 0o755 })
  const { pool, repositories } = await openPool(t, 1, { searchPath: `${folder}:/usr/bin:/bin` })
  const [one] = repositories
  assert.ok(one)
  const replies = await pool.ask(one.gitDir, [info(one.commitId), info('b'.repeat(40))])
  assert.deepEqual(
    replies.map(({ kind }) => kind),
    ['object', 'missing'],
  )
})

test('ObjectPool throws if git cannot be started, which is not damage of the repository', async (t) => {
  const folder = makeTestFolder(t)
  const { pool } = await openPool(t, 0, { searchPath: folder })
  await assert.rejects(pool.ask(folder, [info('a'.repeat(40))]), /start git/)
})

test('ObjectPool rejects queries after it is closed', async (t) => {
  const { pool, repositories } = await openPool(t, 1)
  const [one] = repositories
  assert.ok(one)
  await pool.close()
  await assert.rejects(pool.ask(one.gitDir, [info(one.commitId)]), /closed/)
})
