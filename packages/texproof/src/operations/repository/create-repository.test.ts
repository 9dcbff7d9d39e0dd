import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import { ClientDisconnected, runForClient } from '../../base/client-signal.ts'
import { RepositoryInPlace } from '../../git/admin/create-repository.ts'
import { createRepository } from './create-repository.ts'
import type { FinishRepository } from './create-repository.ts'
import { removeUnfinishedRepositories } from './remove-unfinished.ts'

const details = {
  description: null,
  visibility: 'public',
  firstCommit: null,
  authorEmail: 'noreply@localhost',
  projectUrl: 'http://localhost/alice/tides',
} as const

test('createRepository() leaves neither row nor directory if the directory cannot be created', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const failing = { ...host.git, createRepository: () => Promise.reject(new Error('disk full')) }
  await assert.rejects(createRepository({ store: host.store, git: failing }, { ...details, owner, name: 'tides' }), {
    cause: new Error('disk full'),
  })
  const again = await createRepository(host, { ...details, owner, name: 'tides' })
  assert.equal(again.kind, 'created')
})

test('createRepository() waits for another creation with the same name, and takes the name if that fails', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const other = await host.store.repositories.addUnfinished({ ...details, owner, name: 'tides', defaultBranch: 'main' })
  const waiting = createRepository(host, { ...details, owner, name: 'Tides' })
  await host.store.repositories.remove(other)
  assert.equal((await waiting).kind, 'created')
})

test('createRepository() no longer waits for another creation when its client has disconnected', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  await host.store.repositories.addUnfinished({ ...details, owner, name: 'tides', defaultBranch: 'main' })
  const client = new AbortController()
  const waiting = runForClient(client.signal, () => createRepository(host, { ...details, owner, name: 'tides' }))
  client.abort()
  await assert.rejects(waiting, ClientDisconnected)
})

test('createRepository() takes another id if a folder with the id of its row exists, and leaves the folder', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  for (const id of [1, 2]) await host.git.createRepository(id, { defaultBranch: 'other', initialCommit: null })
  const made = await createRepository(host, { ...details, owner, name: 'tides' })
  const heads = [1, 2, 3].map((id) => readFileSync(join(host.git.gitDir(id), 'HEAD'), 'utf8'))
  assert.deepEqual(
    [made.kind === 'created' && made.repository.id, ...heads],
    [3, 'ref: refs/heads/other\n', 'ref: refs/heads/other\n', 'ref: refs/heads/main\n'],
  )
})

test('createRepository() leaves no row if it cannot look for a folder with its id', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const failing = { ...host.git, gitDir: () => 'no path\0' }
  await assert.rejects(createRepository({ store: host.store, git: failing }, { ...details, owner, name: 'tides' }))
  assert.deepEqual(await host.store.repositories.listUnfinished({ before: Date.now() + 1_000 }), [])
})

test('createRepository() leaves neither row nor folder if it fails once the folder is in place', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const git: typeof host.git = {
    ...host.git,
    async createRepository(id, settings) {
      await host.git.createRepository(id, settings)
      throw new RepositoryInPlace('input/output error')
    },
  }
  await assert.rejects(createRepository({ store: host.store, git }, { ...details, owner, name: 'tides' }))
  const rows = await host.store.repositories.listUnfinished({ before: Date.now() + 1_000 })
  assert.deepEqual([rows, existsSync(host.git.gitDir(1))], [[], false])
})

test('createRepository() leaves a folder that another program makes with its id in the meantime', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const git: typeof host.git = {
    ...host.git,
    async createRepository(id, settings) {
      await host.git.createRepository(id, { ...settings, defaultBranch: 'other' })
      await host.git.createRepository(id, settings)
    },
  }
  await assert.rejects(createRepository({ store: host.store, git }, { ...details, owner, name: 'tides' }))
  const swept = await removeUnfinishedRepositories(host, { olderThanMs: -1 })
  assert.deepEqual([swept, readFileSync(join(host.git.gitDir(1), 'HEAD'), 'utf8')], [0, 'ref: refs/heads/other\n'])
})

test('a creation that a sweep interrupts fails and leaves neither row nor directory', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const finish: FinishRepository = async (_id, markReady) => {
    await removeUnfinishedRepositories(host, { olderThanMs: -1 })
    return markReady()
  }
  await assert.rejects(createRepository(host, { ...details, owner, name: 'tides' }, { finish }))
  assert.deepEqual(
    [await host.store.repositories.findByName('alice', 'tides'), await host.git.hasRepository(1)],
    [null, false],
  )
})

test('a creation that takes long is not swept', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  context.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() })
  const finish: FinishRepository = async (_id, markReady) => {
    for (let second = 0; second < 60; second += 1) {
      context.mock.timers.tick(1_000)
      assert.equal(await removeUnfinishedRepositories(host), 0)
    }
    return markReady()
  }
  const made = await createRepository(host, { ...details, owner, name: 'tides' }, { finish })
  assert.equal(made.kind, 'created')
})

test('a sweep does not delete a repository that became ready after the sweep listed it', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const listed: number[] = []
  const finish: FinishRepository = (id, markReady) => {
    listed.push(id)
    return markReady()
  }
  const made = await createRepository(host, { ...details, owner, name: 'tides' }, { finish })
  const repositories = { ...host.store.repositories, listUnfinished: async () => listed }
  const sweptCount = await removeUnfinishedRepositories(
    { store: { ...host.store, repositories }, git: host.git },
    { olderThanMs: -1 },
  )
  assert.deepEqual(
    [made.kind, listed.length, sweptCount, await host.git.hasRepository(listed[0] ?? 0)],
    ['created', 1, 0, true],
  )
})
