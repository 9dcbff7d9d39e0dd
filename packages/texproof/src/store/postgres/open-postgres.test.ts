import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'

import { Client } from 'pg'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { addTestRepository } from '../../../test/support/database/open-test-store.ts'
import { findPostgres, startPostgres, type PostgresCluster } from '../../../test/support/database/postgres-cluster.ts'
import { createPostgresDatabase } from '../../../test/support/database/test-database.ts'
import { openChangeChannel } from './change-channel.ts'
import { openPostgresPool } from './postgres-pool.ts'
import { openStore, type Store } from '../store.ts'
import { NewerSchema } from '../sqlite/migrate.ts'
import { findStoreBusy, StoreRefused, StoreUnavailable } from '../sqlite/store-errors.ts'

// The tests of the store run on PostgreSQL, too; these are about what SQLite does not have.

const programs = findPostgres()
const withoutPostgres = programs === null && 'PostgreSQL is not installed'
let cluster: PostgresCluster

before(async () => {
  if (programs !== null) cluster = await startPostgres(programs)
})

after(() => cluster?.stop())

const alice = { login: 'alice', name: null, email: null, passwordHash: null, isAdmin: true }

async function open(context: TestContext, count = 1): Promise<{ stores: [Store, ...Store[]]; databaseUrl: string }> {
  const databaseUrl = await createPostgresDatabase(cluster.url)
  const stores = await Promise.all(
    Array.from({ length: count }, () => openStore({ dataDir: makeFolder(context), databaseUrl })),
  )
  context.after(() => Promise.all(stores.map((store) => store.close())))
  return { stores: stores as [Store, ...Store[]], databaseUrl }
}

async function run(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(databaseUrl)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const guesses = { allowed: 6, firstWaitMs: 60_000, longestWaitMs: 60_000 }

test('failed attempts on several instances at once are counted together', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t, 3)
  const throttles = stores.map((store) => store.throttles.open('password by account', guesses))
  const attempts = [...throttles, ...throttles, ...throttles].map((throttle) => throttle.attempt('alice'))
  const waits = await Promise.all(attempts)
  const [other] = throttles
  assert.deepEqual(
    { allowed: waits.filter((waitMs) => waitMs === 0).length, ofBob: await other?.attempt('bob') },
    { allowed: guesses.allowed, ofBob: 0 },
  )
})

test(
  'a success on one instance ends the wait on another, a forgiven attempt too',
  { skip: withoutPostgres },
  async (t) => {
    const { stores } = await open(t, 2)
    const [here, there] = stores.map((store) => store.throttles.open('password', { ...guesses, allowed: 1 }))
    assert.ok(here !== undefined && there !== undefined)
    await here.attempt('alice')
    const blocked = await there.attempt('alice')
    assert.ok(blocked > 0 && blocked <= guesses.firstWaitMs, `${blocked}`)
    await here.forget('alice')
    assert.equal(await there.attempt('alice'), 0)
    await there.forgive('alice')
    assert.equal(await here.attempt('alice'), 0)
  },
)

test('failed attempts are deleted an hour after the last one', { skip: withoutPostgres }, async (t) => {
  const { stores, databaseUrl } = await open(t)
  const { throttles } = stores[0]
  await throttles.open('password', guesses).attempt('alice')
  const count = async (): Promise<number> => (await run(databaseUrl, 'select key_hash from throttle')).length
  const counts = [await count()]
  for (const minutes of [59, 61]) {
    await throttles.removeExpired(Date.now() + minutes * 60_000)
    counts.push(await count())
  }
  assert.deepEqual(counts, [1, 1, 0])
})

test('builds added by several instances at once have consecutive numbers', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t, 3)
  const { repositoryId } = await addTestRepository(stores[0])
  const build = exampleNewBuild({ repositoryId })
  const added = await Promise.all(
    Array.from({ length: 30 }, async (_, at) =>
      (await stores[at % 3]?.builds.addAll([build, build]))?.map((one) => one.number),
    ),
  )
  assert.deepEqual(
    added.flat().toSorted((a, b) => (a ?? 0) - (b ?? 0)),
    Array.from({ length: 60 }, (_, at) => at + 1),
  )
})

/** What five pairs of administrators get who leave at once on two instances, sorted. */
async function raceAdministrators<T>(
  t: TestContext,
  leave: (store: Store, id: string) => Promise<T>,
): Promise<readonly (readonly T[])[]> {
  const { stores } = await open(t, 2)
  const [one, two = one] = stores
  const outcomes: T[][] = []
  for (let round = 0; round < 5; round += 1) {
    const ids = [`a${round}`, `b${round}`] as const
    for (const id of ids) await one.users.add({ ...alice, login: id }, id)
    outcomes.push((await Promise.all([leave(one, ids[0]), leave(two, ids[1])])).toSorted())
    for (const id of ids) await one.users.setAdmin(id, false)
  }
  return outcomes
}

test(
  'of two administrators who disable each other on two instances, one stays enabled',
  { skip: withoutPostgres },
  async (t) => {
    const outcomes = await raceAdministrators(t, (store, id) => store.users.setDisabled(id, true))
    assert.deepEqual(
      outcomes,
      outcomes.map(() => [false, true]),
    )
  },
)

test(
  'of two administrators who delete themselves on two instances, one stays',
  { skip: withoutPostgres },
  async (t) => {
    const outcomes = await raceAdministrators(t, (store, id) => store.users.remove(id))
    assert.deepEqual(
      outcomes,
      outcomes.map(() => ['last-administrator', 'removed']),
    )
  },
)

test('an email is taken by one instance only', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t, 3)
  for (let at = 0; at < 20; at += 1)
    await stores[0].queuedEmails.add({ sealed: `${at}`, expiresAt: Date.now() + 60_000 })
  const taken = await Promise.all(
    Array.from(
      { length: 60 },
      async (_, at) => (await stores[at % 3]?.queuedEmails.take(Date.now() + 60_000))?.sealed ?? null,
    ),
  )
  const sealed = taken.flatMap((text) => text ?? [])
  assert.equal(new Set(sealed).size, sealed.length)
})

test('a change on one instance becomes visible on another', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t, 2)
  const [one, two] = stores
  await one.users.add(alice, 'u1')
  const isDisabled = async () => (await two?.users.findByLogin('alice'))?.isDisabled
  const before = await isDisabled()
  await one.users.setAdmin('u1', false)
  await one.users.setDisabled('u1', true)
  await eventually(isDisabled, { within: 20_000, until: (answer) => answer === true })
  assert.equal(before, false)
})

test('text is compared byte by byte, as in SQLite', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t)
  const keys = ['b', 'B', 'a', 'ä', 'Z', '-', '_', 'aa', 'a-b', 'a_b']
  const found = await stores[0].events.listKinds()
  for (const kind of keys) await stores[0].events.add({ kind, userId: null, actorId: null })
  assert.deepEqual([found, await stores[0].events.listKinds()], [[], keys.toSorted()])
})

test(
  'a text with U+0000 finds nothing, and is stored with U+FFFD in its place',
  { skip: withoutPostgres },
  async (t) => {
    const { stores } = await open(t)
    await stores[0].settings.set('text', 'a\0b')
    assert.deepEqual(
      [await stores[0].users.findByLogin('a\0'), await stores[0].settings.find('text')],
      [null, 'a\u{FFFD}b'],
    )
  },
)

test(
  'killed connections cost at most a StoreUnavailable, and later statements work',
  { skip: withoutPostgres },
  async (t) => {
    const { stores, databaseUrl } = await open(t)
    const [store] = stores
    const reads = []
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([store.users.count(), store.users.count(), store.settings.set('a', String(round))])
      await run(
        cluster.url,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${new URL(databaseUrl).pathname.slice(1)}'`,
      )
      reads.push(await store.users.count())
    }
    await store.settings.set('a', 'last')
    assert.deepEqual([reads, await store.settings.find('a')], [[0, 0, 0, 0, 0], 'last'])
  },
)

test(
  'without the server, statements fail as unavailable; once it is back, they work',
  { skip: withoutPostgres },
  async (t) => {
    const { stores } = await open(t)
    await stores[0].settings.set('a', '1')
    const restarting = cluster.halt().then(() => cluster.start())
    const failure = await stores[0].settings.set('a', '2').catch((error: unknown) => error)
    await restarting
    await stores[0].settings.set('a', '3')
    assert.deepEqual(
      [failure === undefined || failure instanceof StoreUnavailable, await stores[0].settings.find('a')],
      [true, '3'],
    )
  },
)

test('notifications arrive again once the server is back', { skip: withoutPostgres }, async (t) => {
  const databaseUrl = await createPostgresDatabase(cluster.url)
  let changeCount = 0
  const onChange = (): void => {
    changeCount += 1
  }
  const listening = openChangeChannel(databaseUrl, { onChange, isServer: false })
  const notifying = openChangeChannel(databaseUrl, { onChange: () => {}, isServer: false })
  t.after(() => Promise.all([listening.close(), notifying.close()]))
  const hear = async (): Promise<number> => {
    notifying.notify()
    return changeCount
  }
  const before = await eventually(hear, { within: 20_000, until: (count) => count > 2 })
  await cluster.halt()
  await cluster.start()
  // The first change is the new connection itself.
  const after = await eventually(hear, { within: 20_000, until: (count) => count > before + 3 })
  assert.ok(after > before)
})

test(
  'a transaction whose connection is lost is not acknowledged, and has no effect',
  { skip: withoutPostgres },
  async (t) => {
    const { stores, databaseUrl } = await open(t)
    const [store] = stores
    const { repositoryId: id } = await addTestRepository(store)
    // A lock of another session stops the transaction between its statements.
    const holder = new Client(databaseUrl)
    await holder.connect()
    await holder.query('begin; lock table repository in exclusive mode')
    const starring = store.repositories.addStar(id, 'u1').catch((error: unknown) => error)
    const killWaiting = () =>
      run(
        databaseUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    await eventually(killWaiting, { within: 4_000, until: (killed) => killed.length > 0 })
    const failure = await starring
    await holder.query('rollback')
    await holder.end()
    assert.deepEqual([failure instanceof StoreUnavailable, await store.repositories.hasStar(id, 'u1')], [true, false])
  },
)

test(
  'a database that refuses connections is unavailable until it accepts them',
  { skip: withoutPostgres },
  async (t) => {
    const { stores, databaseUrl } = await open(t)
    const [store] = stores
    const name = new URL(databaseUrl).pathname.slice(1)
    const close = async (): Promise<void> => {
      await run(cluster.url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      await run(cluster.url, `alter database "${name}" rename to "${name}-closed"`)
    }

    await eventually(
      () =>
        close().then(
          () => true,
          () => false,
        ),
      { until: (isClosed) => isClosed },
    )
    const failure = await store.users.findByLogin('alice').catch((error: unknown) => error)
    await run(cluster.url, `alter database "${name}-closed" rename to "${name}"`)

    assert.deepEqual(
      [findStoreBusy(failure) instanceof StoreRefused, await store.users.findByLogin('alice')],
      [true, null],
    )
  },
)

test('a database of a newer version is refused', { skip: withoutPostgres }, async (t) => {
  const { databaseUrl } = await open(t)
  await run(databaseUrl, `insert into kysely_migration values ('9999-future', '2999-01-01T00:00:00.000Z')`)
  await assert.rejects(openStore({ dataDir: makeFolder(t), databaseUrl }), NewerSchema)
})

test('one instance at a time runs an exclusive task', { skip: withoutPostgres }, async (t) => {
  const { stores } = await open(t, 2)
  const [one, two] = stores
  const during = await one.runExclusively('housekeeping', async () =>
    two?.runExclusively('housekeeping', async () => 'both'),
  )
  assert.deepEqual([during, await two?.runExclusively('housekeeping', async () => 'after')], [null, 'after'])
})

const update = { ref: 'refs/heads/main', oldCommitId: null, newCommitId: 'a'.repeat(40) }

/** Two registered instances, and an unfinished push of the first one. */
async function beginPush(context: TestContext) {
  const [one, two] = (await open(context, 2)).stores
  assert.ok(two !== undefined && one.instances !== null && two.instances !== null)
  for (const { instances } of [one, two]) await instances?.beat('web')
  const { repositoryId } = await addTestRepository(one)
  const begin = ({ pushJournal }: Store) => pushJournal.begin({ repositoryId, userId: 'u1', updates: [update] })
  return { one, two, repositoryId, begin, entry: await begin(one) }
}

test(
  'an unfinished push belongs to its instance until another one has removed it',
  { skip: withoutPostgres },
  async (t) => {
    const { one, two, repositoryId, entry } = await beginPush(t)
    const whileAlive = await two.pushJournal.claim()
    const isWritten = await two.instances?.isWrittenElsewhere(repositoryId)
    await two.instances?.remove([one.instances?.id ?? ''])
    // The instance continues after it was taken for dead.
    const unregistered = await one.pushJournal.claim()
    const [claimed, again] = await Promise.all([two.pushJournal.claim(), one.pushJournal.claim()])
    assert.deepEqual(
      { whileAlive, isWritten, unregistered, claimed, again, isNew: await one.instances?.beat('web') },
      { whileAlive: [], isWritten: true, unregistered: [], claimed: [entry], again: [], isNew: true },
    )
    await assert.rejects(one.repositoryLocks.acquire(entry), { code: 'STORE_BUSY' })
    await (
      await two.repositoryLocks.acquire(entry)
    )()
  },
)

test('one instance at a time moves refs of a repository', { skip: withoutPostgres }, async (t) => {
  const { one, two, begin, entry } = await beginPush(t)
  const release = await one.repositoryLocks.acquire(entry)
  const order: string[] = []
  const later = two.repositoryLocks.acquire(await begin(two)).then(async (releaseLater) => {
    order.push('second')
    await releaseLater()
  })
  order.push('first')
  await release()
  await later
  assert.deepEqual(order, ['first', 'second'])
})

test('the lock of an instance that has ended is free', { skip: withoutPostgres }, async (t) => {
  const { one, two, begin, entry } = await beginPush(t)
  await one.repositoryLocks.acquire(entry)
  await two.instances?.remove([one.instances?.id ?? ''])
  await (
    await two.repositoryLocks.acquire(await begin(two))
  )()
})

test('another instance sees that refs have moved', { skip: withoutPostgres }, async (t) => {
  const { one, two, repositoryId, entry } = await beginPush(t)
  const read = async (): Promise<number> => (await two.instances?.readGeneration(repositoryId)) ?? 0
  const generations = [await read()]
  await (
    await one.repositoryLocks.acquire(entry)
  )()
  generations.push(await eventually(read, { until: (generation) => generation > 0 }))
  await one.pushJournal.finish(entry, [update])
  generations.push(await eventually(read, { until: (generation) => generation > 1 }))
  assert.deepEqual(generations, [0, 1, 2])
})

test('a connection whose server does not answer is discarded', { skip: withoutPostgres }, async (t) => {
  const pool = openPostgresPool(await createPostgresDatabase(cluster.url), { queryTimeoutMs: 300, onWrite() {} })
  t.after(() => pool.end())
  const silent = await pool.connect()
  await silent.query('begin', [])
  const [backend] = (await silent.query<{ pid: number }>('select pg_backend_pid() as pid', [])).rows
  process.kill(backend?.pid ?? 0, 'SIGSTOP')
  t.after(() => process.kill(backend?.pid ?? 0, 'SIGCONT'))
  await assert.rejects(silent.query('select 1', []), StoreUnavailable)
  await assert.rejects(silent.query('rollback', []), StoreUnavailable)
  silent.release()

  const next = await pool.connect()
  const { rows } = await next.query<{ pid: number }>('create table made as select pg_backend_pid() as pid', [])
  next.release()
  assert.deepEqual(rows, [])
})
