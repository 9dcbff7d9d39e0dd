import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openApiHost } from '../../test/support/api-host.ts'
import { createRepository } from './create-repository.ts'

const details = {
  description: null,
  visibility: 'public',
  firstCommit: null,
  authorEmail: 'noreply@localhost',
  projectUrl: 'http://localhost/alice/tides',
} as const

test('createRepository leaves neither row nor directory when the directory cannot be made', async (context) => {
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

test('createRepository waits for one that is being made under the same name, and takes the name if that fails', async (context) => {
  const host = await openApiHost()
  context.after(() => host.close())
  const { user: owner } = await host.addUser('alice')
  const other = await host.store.repositories.addHalfMade({ ...details, owner, name: 'tides', defaultBranch: 'main' })
  const waiting = createRepository(host, { ...details, owner, name: 'Tides' })
  await host.store.repositories.remove(other)
  assert.equal((await waiting).kind, 'created')
})
