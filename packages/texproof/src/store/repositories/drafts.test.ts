import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { openStore } from '../store.ts'

async function openDrafts(context: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-drafts-'))
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase() })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  const person = { login: 'alice', name: null, email: null, passwordHash: null, isAdmin: false }
  const owner = await store.users.add(person, 'u1')
  const details = { owner, name: 'tides', description: null, visibility: 'public', defaultBranch: 'main' } as const
  const repositoryId = await store.repositories.addUnfinished(details)
  const key = { userId: owner.id, repositoryId, branch: 'main', path: 'main.tex' }
  return { drafts: store.drafts, key }
}

test('a draft is replaced only from its own revision', async (context) => {
  const { drafts, key } = await openDrafts(context)
  const save = (text: string, baseRevision: number) => drafts.save({ ...key, text, openedId: 'c', baseRevision })
  const outcomes = [await save('a', 0), await save('b', 0), await save('c', 1), await save('d', 1)]
  const { updatedAt: _, ...stored } = (await drafts.find(key)) ?? { updatedAt: 0 }
  assert.deepEqual([outcomes, stored], [[1, null, 2, null], { ...key, text: 'c', openedId: 'c', revision: 2 }])
})

test('a draft is removed only up to the given revision', async (context) => {
  const { drafts, key } = await openDrafts(context)
  await drafts.save({ ...key, text: 'a', openedId: 'c', baseRevision: 0 })
  await drafts.save({ ...key, text: 'b', openedId: 'c', baseRevision: 1 })
  await drafts.remove(key, 1)
  const kept = await drafts.find(key)
  await drafts.remove(key, 2)
  assert.deepEqual([kept?.text, await drafts.find(key)], ['b', null])
})

test('drafts are measured in bytes and listed without their text', async (context) => {
  const { drafts, key } = await openDrafts(context)
  await drafts.save({ ...key, text: 'é', openedId: 'c', baseRevision: 0 })
  await drafts.save({ ...key, path: 'b.tex', text: 'ab', openedId: 'c', baseRevision: 0 })
  const listed = await drafts.listOfUser(key.userId, 10)
  assert.deepEqual(
    [await drafts.measure(key.userId), listed.map((draft) => [draft.path, 'text' in draft]).toSorted()],
    [
      { count: 2, bytes: 4 },
      [
        ['b.tex', false],
        ['main.tex', false],
      ],
    ],
  )
})
