import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import type { User } from '../domain/types.ts'
import { exampleNewBuild } from '../../test/support/example-build.ts'
import { createTestDatabase, isOnPostgres } from '../../test/support/database/test-database.ts'
import { runProgram } from '../../test/support/programs/run-program.ts'
import { openStore } from './store.ts'
import type { Store } from './store.ts'
import { UniqueViolation } from './sqlite/store-errors.ts'

test('a user is found by name in any case, and keeps the case of the name', async (context) => {
  const { store } = await emptyStore(context)
  const alice = await addUser(store, 'Alice')
  assert.deepEqual(await store.users.findByLogin('aLICE'), alice)
  assert.equal(alice.login, 'Alice')
  assert.equal(await store.users.findByLogin('al\u0131ce'), null)
})

test('the database refuses a name that differs only by case', async (context) => {
  const { store } = await emptyStore(context)
  await addUser(store, 'alice')
  const error = await addUser(store, 'ALICE').catch((thrown: unknown) => thrown)
  assert.ok(error instanceof UniqueViolation)
  assert.deepEqual(error.columns, ['login_key'])
})

test(
  'a read does not wait for a write that waits for another process',
  { skip: isOnPostgres && 'rows are locked there, not the database' },
  async (context) => {
    const { store, place } = await emptyStore(context)
    const alice = await addUser(store, 'alice')
    const other = new DatabaseSync(join(place.dataDir, 'texproof.db'))
    context.after(() => other.close())
    other.exec('begin immediate')
    let isWritten = false
    const write = addUser(store, 'bob').then(() => (isWritten = true))
    const read = await store.users.findByLogin('alice')
    assert.deepEqual([read, isWritten], [alice, false])
    other.exec('rollback')
    await write
  },
)

test(
  'a read sees a commit of another process immediately',
  { skip: isOnPostgres && 'within half a second' },
  async (context) => {
    const { store, place } = await emptyStore(context)
    const alice = await addUser(store, 'alice')
    assert.equal((await store.users.findByLogin('alice'))?.isDisabled, false)
    const other = await openStore(place)
    await other.users.setDisabled(alice.id, true)
    await other.close()
    assert.equal((await store.users.findByLogin('alice'))?.isDisabled, true)
  },
)

test('a repository is found as soon as it is ready, and not before', async (context) => {
  const { store } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  assert.equal(await store.repositories.findByName('alice', 'tides'), null)
  const id = await store.repositories.addUnfinished({ ...blank, owner, name: 'tides' })
  assert.equal(await store.repositories.findByName('alice', 'tides'), null)
  const ready = await store.repositories.markReady(id)
  assert.deepEqual(await store.repositories.findByName('ALICE', 'Tides'), ready)
})

test('ids of repositories are never reused', async (context) => {
  const { store } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  const first = await store.repositories.addUnfinished({ ...blank, owner, name: 'tides' })
  await store.repositories.remove(first)
  assert.notEqual(await store.repositories.addUnfinished({ ...blank, owner, name: 'tides' }), first)
})

test('the row of a repository is not committed before it is known that no folder has its id', async (context) => {
  const { store, place } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  const other = await openStore(place)
  context.after(() => other.close())
  const listRows = () => other.repositories.listUnfinished({ before: Date.now() + 1_000 })
  const seen: [id: number, rows: readonly number[]][] = []
  const id = await store.repositories.addUnfinished({ ...blank, owner, name: 'tides' }, async (tried) => {
    seen.push([tried, await listRows()])
    return tried < 3
  })
  const failed = store.repositories.addUnfinished({ ...blank, owner, name: 'waves' }, async () => {
    throw new Error('input/output error')
  })
  await assert.rejects(failed, /input\/output error/)
  const expected = [1, 2, 3].map((tried) => [tried, []])
  assert.deepEqual([id, seen, await listRows()], [3, expected, [3]])
})

test('only a repository that is being created becomes ready, and never a claimed one', async (context) => {
  const { store } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  const { repositories } = store
  const ready = await addRepository(store, owner, 'tides')
  const claimed = await repositories.addUnfinished({ ...blank, owner, name: 'waves' })
  const outcomes = [await repositories.claimUnfinished(ready), await repositories.claimUnfinished(claimed)]
  assert.deepEqual(outcomes, [false, true])
  for (const id of [ready, claimed]) await assert.rejects(repositories.markReady(id), /not being created any more/)
  for (const id of [ready, claimed]) await repositories.removeUnfinished(id)
  assert.deepEqual(
    [(await repositories.findById(ready))?.name, await repositories.listUnfinished({ before: Date.now() + 1 })],
    ['tides', []],
  )
})

test('only a queued build can start', async (context) => {
  const { store } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  const repositoryId = await addRepository(store, owner, 'tides')
  const [queued, cancelled] = [
    await store.builds.add(exampleNewBuild({ repositoryId })),
    await store.builds.add(exampleNewBuild({ repositoryId })),
  ]
  await store.builds.cancel([cancelled.id])
  const started = []
  for (const { id } of [queued, queued, cancelled])
    started.push(await store.buildLeases.take(id, { worker: 'w', leaseMs: 60_000 }))
  assert.deepEqual(
    [started, (await store.builds.find(cancelled.id))?.state],
    [[{ buildId: queued.id, worker: 'w', attempt: 1 }, null, null], 'cancelled'],
  )
})

test('listOfMember() pages the repositories of a user, ignoring case, each exactly once', async (context) => {
  const { store } = await emptyStore(context)
  const alice = await addUser(store, 'alice')
  const bob = await addUser(store, 'Bob')
  for (const name of ['b', 'A', 'c']) await addRepository(store, alice, name)
  const shared = await addRepository(store, bob, 'A')
  await addRepository(store, bob, 'hidden')
  await store.repositories.setCollaborator(shared, alice.id, 'push')
  const options = {
    filter: { isOwner: true, isCollaborator: true, visibility: null },
    order: { by: 'full_name', direction: 'asc' },
  } as const
  const pages = await Promise.all(
    [0, 2].map((offset) => store.repositories.listOfMember(alice.id, { ...options, window: { offset, limit: 2 } })),
  )
  assert.deepEqual(
    pages.map(({ items, total }) => [
      total,
      items.map((item) => [item.repository.owner.login, item.repository.name, item.collaboration]),
    ]),
    [
      [
        4,
        [
          ['alice', 'A', null],
          ['alice', 'b', null],
        ],
      ],
      [
        4,
        [
          ['alice', 'c', null],
          ['Bob', 'A', 'push'],
        ],
      ],
    ],
  )
})

test('a star counts once, and no longer after it is removed', async (context) => {
  const { store } = await emptyStore(context)
  const alice = await addUser(store, 'alice')
  const id = await addRepository(store, alice, 'tides')
  await store.repositories.addStar(id, alice.id)
  await store.repositories.addStar(id, alice.id)
  assert.equal((await store.repositories.findById(id))?.starCount, 1)
  await store.repositories.removeStar(id, alice.id)
  await store.repositories.removeStar(id, alice.id)
  assert.equal((await store.repositories.findById(id))?.starCount, 0)
})

test('writes of many concurrent callers all happen, and a failed one does not affect the others', async (context) => {
  const { store } = await emptyStore(context)
  const names = Array.from({ length: 40 }, (_, index) => `user-${index % 30}`)
  const outcomes = await Promise.allSettled(names.map((name) => addUser(store, name)))
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 30)
  assert.equal(await store.users.count(), 30)
})

test('two instances on one folder never both get a name', async (context) => {
  const { store, place } = await emptyStore(context)
  const owner = await addUser(store, 'alice')
  const other = await openStore(place)
  context.after(() => other.close())
  const names = Array.from({ length: 60 }, (_, index) => `Paper-${index % 20}`)
  const outcomes = await Promise.allSettled(
    names.map((name, index) => (index % 2 === 0 ? store : other).repositories.addUnfinished({ ...blank, owner, name })),
  )
  const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.deepEqual([ids.length, new Set(ids).size], [20, 20])
  assert.ok(refusals.every((reason) => reason instanceof UniqueViolation))
})

test('processes that start together on an empty folder all find a complete database', async (context) => {
  const dataDir = await emptyFolder(context)
  const databaseUrl = await createTestDatabase(dataDir, { isEmpty: true })
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('store.ts', import.meta.url).href)})
    const store = await openStore(${JSON.stringify({ dataDir, databaseUrl })})
    process.stdout.write(String(await store.users.count()))
    await store.close()`
  const args = ['--conditions=texproof-source', '--input-type=module', '--eval', program]
  const runs = await Promise.all(Array.from({ length: 4 }, () => runProgram(process.execPath, args)))
  assert.deepEqual(
    runs.map(({ exitCode, stdout }) => ({ exitCode, stdout })),
    runs.map(() => ({ exitCode: 0, stdout: '0' })),
  )
})

test('snapshot() copies the whole database into one file', async (context) => {
  const { store, place } = await emptyStore(context)
  await addUser(store, 'alice')
  const target = join(place.dataDir, 'copy.db')
  await store.snapshot(target)
  const copy = new DatabaseSync(target, { readOnly: true })
  const rows = copy.prepare('SELECT login FROM user').all()
  copy.close()
  assert.deepEqual(
    rows.map((row) => row['login']),
    ['alice'],
  )
})

const blank = { description: null, visibility: 'public', defaultBranch: 'main' } as const

async function emptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-store-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function emptyStore(context: TestContext): Promise<{
  store: Store
  place: { dataDir: string; databaseUrl: string | null }
}> {
  const dataDir = await emptyFolder(context)
  const place = { dataDir, databaseUrl: await createTestDatabase(dataDir) }
  const store = await openStore(place)
  context.after(() => store.close())
  return { store, place }
}

let lastId = 0
function addUser(store: Store, login: string): Promise<User> {
  lastId += 1
  const user = { login, name: null, email: null, passwordHash: null, isAdmin: false }
  return store.users.add(user, String(lastId))
}

async function addRepository(store: Store, owner: User, name: string): Promise<number> {
  const id = await store.repositories.addUnfinished({ ...blank, owner, name })
  await store.repositories.markReady(id)
  return id
}
