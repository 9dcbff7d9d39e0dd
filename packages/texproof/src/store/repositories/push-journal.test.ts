import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { addTestRepository } from '../../../test/support/database/open-test-store.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { openStore } from '../store.ts'

const bob = { login: 'bob', name: null, email: null, passwordHash: null, isAdmin: false }
const idOf = (digit: string): string => digit.repeat(40)

/** A store with a repository, and the statements that read the journal. */
async function openJournal(context: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-journal-'))
  const reads: string[] = []
  const beforeStatement = (sql: string): void => {
    if (/^select .* from "push/.test(sql)) reads.push(sql)
  }
  const store = await openStore({ dataDir, databaseUrl: await createTestDatabase(dataDir), beforeStatement })
  context.after(async () => {
    await store.close()
    await rm(dataDir, { recursive: true })
  })
  const { owner, repositoryId } = await addTestRepository(store)
  const begin = (updates: readonly (readonly [ref: string, from: string | null, to: string | null])[]) =>
    store.pushJournal.begin({
      repositoryId,
      userId: owner.id,
      updates: updates.map(([ref, oldCommitId, newCommitId]) => ({ ref, oldCommitId, newCommitId })),
    })
  return { store, repositoryId, journal: store.pushJournal, begin, reads }
}

test('a push of an account that is deleted in the meantime is finished without its name', async (context) => {
  const { store, repositoryId } = await openJournal(context)
  const { id: userId } = await store.users.add(bob, 'u2')
  const update = { ref: 'refs/heads/main', oldCommitId: null, newCommitId: idOf('1') }
  const entry = await store.pushJournal.begin({ repositoryId, userId, updates: [update] })
  await store.users.remove(userId)
  await store.pushJournal.finish(entry, [update])
  const pushes = await store.pushes.listByOthers([repositoryId], { userId: 'nobody', limit: 10 })
  assert.deepEqual([await store.pushJournal.list(), pushes], [[], []])
})

test('an update happened if its ref is at its commit, or a later push starts from it', async (context) => {
  const { journal, begin } = await openJournal(context)
  const [one, two, three] = [idOf('1'), idOf('2'), idOf('3')]
  const entry = await begin([
    ['refs/heads/here', null, one],
    ['refs/heads/open', null, one],
    ['refs/heads/finished', null, one],
    ['refs/heads/deleted', one, null],
    ['refs/heads/refused', null, one],
    ['refs/heads/elsewhere', null, one],
  ])
  await begin([
    ['refs/heads/open', one, two],
    ['refs/heads/elsewhere', two, three],
  ])
  await begin([['refs/heads/open', two, three]])
  const finished = await begin([
    ['refs/heads/finished', one, two],
    ['refs/heads/deleted', null, two],
  ])
  await journal.finish(finished, finished.updates)
  const current = new Map([
    ['refs/heads/here', one],
    ['refs/heads/open', three],
    ['refs/heads/finished', three],
    ['refs/heads/deleted', three],
    ['refs/heads/elsewhere', three],
  ])
  const moved = await journal.listMoved(entry, current)
  assert.deepEqual(
    moved.map(({ ref }) => ref.slice('refs/heads/'.length)),
    ['here', 'open', 'finished', 'deleted'],
  )
})

test('later pushes are read once for all refs of a push that were refused', async (context) => {
  const { journal, begin, reads } = await openJournal(context)
  const updates = Array.from({ length: 300 }, (_, n) => [`refs/heads/${n}`, null, idOf('1')] as const)
  const entry = await begin(updates)
  await begin(updates)
  reads.length = 0
  const moved = await journal.listMoved(entry, new Map())
  assert.deepEqual([moved, reads.length], [[], 2])
})
