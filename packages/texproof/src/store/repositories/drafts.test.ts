import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import type { DraftAppend } from './drafts.ts'

const bytes = (...values: readonly number[]): Uint8Array => new Uint8Array(values)

async function openDrafts(context: TestContext) {
  const { store, owner, repositoryId } = await openTestStore(context)
  const key = { repositoryId, branch: 'main', path: 'main.tex' }
  const first: DraftAppend = {
    key,
    id: null,
    epoch: 'e',
    state: bytes(0),
    openedId: 'c',
    isChanged: true,
    sizeBytes: 3,
    updates: [bytes(1), bytes(2)],
    revision: 2,
    authors: [{ userId: owner.id, revision: 2 }],
  }
  return { drafts: store.drafts, key, first, userId: owner.id }
}

test('a draft keeps its updates in order, and its authors', async (context) => {
  const { drafts, key, first, userId } = await openDrafts(context)
  const [id = null] = await drafts.append([first])
  assert.deepEqual(await drafts.append([{ ...first, id, updates: [bytes(7)], revision: 9 }]), [null])
  const authors = [{ userId, revision: 3 }]
  await drafts.append([{ ...first, id, updates: [bytes(3)], revision: 3, authors }])
  const { updatedAt: _, ...stored } = (await drafts.find(key)) ?? { updatedAt: 0 }
  const [state, ...updates] = [0, 1, 2, 3].map((value) => bytes(value))
  const summary = { ...key, id, epoch: 'e', openedId: 'c', revision: 3, isChanged: true }
  assert.deepEqual(stored, { ...summary, state, updates, authors })
})

test('a draft of an author whose account was deleted is stored, and so are the others of its transaction', async (context) => {
  const { drafts, key, first, userId } = await openDrafts(context)
  const deleted = { userId: 'deleted', revision: 2 }
  const other = { ...key, path: 'other.tex' }
  const [id = null] = await drafts.append([
    { ...first, authors: [deleted] },
    { ...first, key: other },
  ])
  await drafts.append([{ ...first, id, updates: [bytes(3)], revision: 3, authors: [deleted] }])
  const [own, others] = [await drafts.find(key), await drafts.find(other)]
  assert.deepEqual([own?.updates.length, own?.authors, others?.authors], [3, [], [{ userId, revision: 2 }]])
})

test('a compacted draft keeps later updates', async (context) => {
  const { drafts, key, first } = await openDrafts(context)
  const [id = null] = await drafts.append([first])
  assert.ok(id !== null)
  await drafts.compact(id, { state: bytes(9), revision: 1 })
  const found = await drafts.find(key)
  assert.deepEqual([found?.state, found?.updates], [bytes(9), [bytes(2)]])
})

test('a draft that another server has compacted keeps its state, and one with later changes is not removed', async (context) => {
  const { drafts, key, first } = await openDrafts(context)
  const [id = null] = await drafts.append([first])
  assert.ok(id !== null)
  await drafts.append([{ ...first, id, updates: [bytes(3)], revision: 3 }])
  const newer = await drafts.compact(id, { state: bytes(9), revision: 3 })
  const older = await drafts.compact(id, { state: bytes(8), revision: 2 })
  await drafts.remove(id, 2)
  const found = await drafts.find(key)
  assert.deepEqual([newer, older, found?.state, found?.updates], [true, false, bytes(9), []])
})

test('a draft is removed at its revision', async (context) => {
  const { drafts, key, first } = await openDrafts(context)
  const [id = null] = await drafts.append([first])
  assert.ok(id !== null)
  await drafts.remove(id, 2)
  assert.equal(await drafts.find(key), null)
})

test('a commit removes the authors of what it contains, and others stay', async (context) => {
  const { drafts, key, first, userId } = await openDrafts(context)
  const [id = null] = await drafts.append([first])
  const end = { ...first, id, updates: [], authors: [], isChanged: false }
  await drafts.append([{ ...end, committedRevision: 1 }])
  const early = (await drafts.find(key))?.authors
  await drafts.append([{ ...end, committedRevision: 2 }])
  assert.deepEqual([early, (await drafts.find(key))?.authors], [[{ userId, revision: 2 }], []])
})

test('unchanged drafts are not listed or measured, and are removed later', async (context) => {
  const { drafts, key, first, userId } = await openDrafts(context)
  const read = async () => ({
    measured: await drafts.measure(userId),
    listed: (await drafts.listOfUser(userId, 10)).length + (await drafts.listOfBranch(key)).length,
  })
  const [id = null] = await drafts.append([first])
  const changed = await read()
  await drafts.append([{ ...first, id, updates: [], isChanged: false }])
  const unchanged = await read()
  await drafts.removeUnchanged(Date.now() + 1)
  assert.deepEqual(
    [changed, unchanged, await drafts.find(key)],
    [{ measured: { count: 1, bytes: 3 }, listed: 2 }, { measured: { count: 0, bytes: 0 }, listed: 0 }, null],
  )
})

test('a draft counts for its first author after the server has stored it or a commit has ended it', async (context) => {
  const { store, owner, repositoryId } = await openTestStore(context)
  const { drafts, users } = store
  const bob = await users.add({ login: 'bob', name: null, email: null, passwordHash: null, isAdmin: false }, 'u2')
  const change = { key: { repositoryId, branch: 'main', path: 'main.tex' }, epoch: 'e', state: bytes(0), openedId: 'c' }
  const ended = { ...change, isChanged: false, sizeBytes: 3, authors: [] }
  const changed = { ...change, isChanged: true, sizeBytes: 3 }
  const measure = async () => [(await drafts.measure(owner.id)).count, (await drafts.measure(bob.id)).count]
  const [id = null] = await drafts.append([{ ...ended, id: null, updates: [bytes(1)], revision: 1 }])
  const counts = []
  for (const [at, [author, isEnded]] of (
    [
      [owner, false],
      [bob, false],
      [owner, true],
      [bob, false],
    ] as const
  ).entries()) {
    const authors = [{ userId: author.id, revision: at + 2 }]
    await drafts.append([{ ...(isEnded ? ended : { ...changed, authors }), id, updates: [bytes(2)], revision: at + 2 }])
    counts.push(await measure())
  }
  assert.deepEqual(counts, [
    [1, 0],
    [1, 0],
    [0, 0],
    [0, 1],
  ])
})

test('changes of a removed draft do not disturb the changes of others', async (context) => {
  const { drafts, first, key } = await openDrafts(context)
  const other = { ...first, key: { ...key, path: 'b.tex' } }
  const nowhere = { ...first, key: { ...key, repositoryId: 99 } }
  const ids = await drafts.append([{ ...first, id: 77 }, nowhere, other])
  assert.deepEqual([ids, (await drafts.find(other.key))?.revision], [[null, null, 1], 2])
})
