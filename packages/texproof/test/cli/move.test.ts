import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'

import { Client } from 'pg'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { createToken } from '../../src/accounts/tokens/create-token.ts'
import { runDeepDoctor } from '../../src/cli/doctor/deep/run-deep-doctor.ts'
import { commandFor } from '../../src/config/command-line.ts'
import { openGitStore } from '../../src/git/open-git-store.ts'
import { lockDataDir } from '../../src/store/sqlite/data-dir-lock.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { addTestRepository } from '../support/database/open-test-store.ts'
import { findPostgres, startPostgres, type PostgresCluster } from '../support/database/postgres-cluster.ts'
import { createPostgresDatabase } from '../support/database/test-database.ts'
import { exampleNewBuild } from '../support/example-build.ts'
import { startHost } from '../support/hosts/start-host.ts'
import { makeFolder } from '../support/make-folder.ts'
import type { ProgramOutcome } from '../support/programs/run-program.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'

const programs = findPostgres()
const skip = programs === null && 'PostgreSQL is not installed'
let cluster: PostgresCluster

before(async () => {
  if (programs !== null) cluster = await startPostgres(programs)
})
after(() => cluster?.stop())

const person = { name: null, email: null, passwordHash: null, isAdmin: false }

/** A stopped host with a row of most kinds, and an id that was given out and is free again. */
async function makeHost(context: TestContext): Promise<string> {
  const dataDir = makeFolder(context)
  const store = await openStore({ dataDir })
  const owner = await store.users.add({ ...person, login: 'alice', name: 'Älice "A"\n' }, 'u1')
  await store.avatars.setOfUser('u1', { id: 'a1', contentType: 'image/png', bytes: randomBytes(300) })
  await store.tokens.add({ userId: 'u1', name: 't', hash: 'h', scopes: ['repo:write'], expiresAt: null })
  for (let at = 0; at < 120; at += 1) await store.events.add({ kind: `kind-${at}`, userId: 'u1', actorId: null })
  const details = { owner, description: null, visibility: 'public', defaultBranch: 'main' } as const
  for (const name of ['tides', 'gone']) {
    const id = await store.repositories.addUnfinished({ ...details, name })
    if (name === 'gone') await store.repositories.remove(id)
    else await store.repositories.markReady(id)
  }
  await store.close()
  return dataDir
}

const newRepository = async (store: Store, name: string): Promise<number> => {
  const owner = await store.users.findById('u1')
  assert.ok(owner)
  return store.repositories.addUnfinished({
    owner,
    name,
    description: null,
    visibility: 'public',
    defaultBranch: 'main',
  })
}

test(
  'texproof move copies a host to PostgreSQL and back with equal contents, and never repeats an id',
  { skip },
  async (t) => {
    const dataDir = await makeHost(t)
    const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
    const there = await runTexproof(['move', '--to', url, '--data', dataDir, '--json'])
    const store = await openStore({ dataDir, databaseUrl: url })
    const thirdId = await newRepository(store, 'third')
    await store.repositories.remove(thirdId)
    await store.close()
    const back = await runTexproof(['move', '--to', 'sqlite:', '--data', dataDir, '--json'], {
      env: { TEXPROOF_DATABASE_URL: url },
    })
    const restored = await openStore({ dataDir })
    t.after(() => restored.close())
    const tablesOf = (text: string) =>
      (JSON.parse(text) as { tables: { name: string }[] }).tables.filter(({ name }) => name !== 'host_setting')
    assert.deepEqual([there.stderr, back.stderr], ['', ''])
    assert.deepEqual(tablesOf(back.stdout), tablesOf(there.stdout))
    assert.deepEqual(
      [thirdId, await newRepository(restored, 'fourth'), (await restored.users.findById('u1'))?.name],
      [3, 4, 'Älice "A"\n'],
    )
  },
)

test('a move that was interrupted after its copy can be repeated', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const move = (to: string) =>
    runTexproof(['move', '--to', to, '--data', dataDir, '--json'], { env: { TEXPROOF_DATABASE_URL: url } })
  const tablesOf = ({ stdout }: { readonly stdout: string }): unknown =>
    (JSON.parse(stdout) as { tables: unknown }).tables
  const findRenamed = (): string => readdirSync(dataDir).find((name) => name.startsWith('texproof-moved-')) ?? ''
  const first = await move(url)
  const beforeReport = await move(url)
  renameSync(join(dataDir, findRenamed()), join(dataDir, 'texproof.db'))
  const beforeRename = await move(url)
  const back = [await move('sqlite:'), await move('sqlite:')]
  assert.deepEqual(
    [beforeReport, beforeRename, ...back].map((run) => [run.stderr, tablesOf(run)]),
    Array.from({ length: 4 }, () => ['', tablesOf(first)]),
  )
})

test('a database that was moved, and has changed since, is not moved again', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  await runTexproof(['move', '--to', url, '--data', dataDir])
  const original = readdirSync(dataDir).find((name) => name.startsWith('texproof-moved-')) ?? ''
  const store = await openStore({ dataDir, databaseUrl: url })
  await newRepository(store, 'third')
  await store.close()
  const there = await runTexproof(['move', '--to', url, '--data', dataDir])
  renameSync(join(dataDir, original), join(dataDir, 'texproof.db'))
  const back = await runTexproof(['move', '--to', 'sqlite:', '--data', dataDir], {
    env: { TEXPROOF_DATABASE_URL: url },
  })
  assert.deepEqual(
    [there, back].map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]),
    [
      [2, `texproof: the database was already moved: ${join(dataDir, original)}`],
      [2, `texproof: ${join(dataDir, 'texproof.db')} already exists`],
    ],
  )
})

test('a command names why PostgreSQL cannot be used, and what to do', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const folder = new URL(cluster.url).searchParams.get('host') ?? ''
  const urlOf = (name: string, options = ''): string =>
    `postgres://texproof@localhost/${name}?host=${encodeURIComponent(folder)}${options}`
  const moveTo = (url: string): Promise<ProgramOutcome> => runTexproof(['move', '--to', url, '--data', dataDir])
  const runs = [
    await moveTo(urlOf('missing')),
    await moveTo(urlOf('postgres', '&sslmode=require')),
    await moveTo('postgres://texproof@127.0.0.1:1/texproof'),
  ]
  assert.deepEqual(
    runs.map(({ exitCode, stderr }) => [exitCode, ...stderr.trimEnd().split(/\n {10}/)]),
    [
      [
        1,
        'texproof: cannot use PostgreSQL: database "missing" does not exist',
        'Create the database with createdb, or correct its name in TEXPROOF_DATABASE_URL.',
      ],
      [
        1,
        'texproof: cannot use PostgreSQL: The server does not support SSL connections',
        'Turn on TLS in PostgreSQL (ssl = on), or remove sslmode from TEXPROOF_DATABASE_URL.',
      ],
      [
        1,
        'texproof: the database is not available: connect ECONNREFUSED 127.0.0.1:1',
        'Check TEXPROOF_DATABASE_URL and that the server is running.',
      ],
    ],
  )
})

test('texproof move names a host that has always used PostgreSQL', { skip }, async (t) => {
  const dataDir = makeFolder(t)
  const url = await createPostgresDatabase(cluster.url)
  mkdirSync(join(dataDir, 'repositories', '01', '1.git'), { recursive: true })
  const run = await runTexproof(['move', '--data', dataDir], { env: { TEXPROOF_DATABASE_URL: url } })
  assert.deepEqual(run, {
    exitCode: 2,
    stdout: '',
    stderr:
      `texproof: ${dataDir} contains no SQLite database to move\n` +
      '          TEXPROOF_DATABASE_URL is set: this host already uses PostgreSQL. ' +
      `To move back: ${commandFor(dataDir, 'move --to sqlite:')}\n`,
  })
})

test('texproof move refuses a database with data, and a host whose server is running', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const url = await createPostgresDatabase(cluster.url)
  const store = await openStore({ dataDir: makeFolder(t), databaseUrl: url })
  await store.users.add({ ...person, login: 'bob' }, 'u2')
  await store.close()
  const full = await runTexproof(['move', '--to', url, '--data', dataDir])
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'http://localhost' })
  const running = await runTexproof(['move', '--to', url, '--data', dataDir])
  lock?.release()
  assert.deepEqual(
    [full, running].map(({ exitCode, stderr }) => [exitCode, stderr.split('\n')[0]]),
    [
      [2, 'texproof: the target already contains data, in table user'],
      [2, `texproof: a server is using ${dataDir}`],
    ],
  )
  assert.ok(readdirSync(dataDir).includes('texproof.db'))
})

test('texproof move refuses a host that a command is using, whose changes would be lost', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const command = await openStore({ dataDir })
  const during = await runTexproof(['move', '--to', url, '--data', dataDir])
  await command.close()
  const after = await runTexproof(['move', '--to', url, '--data', dataDir])
  assert.deepEqual(
    [during.exitCode, during.stderr.split('\n')[0], after.exitCode],
    [2, `texproof: a command is using ${dataDir}`, 0],
  )
})

/** Moves a host to PostgreSQL, where insertions into a table wait, or their commit, until a user was added to the host. */
async function addUserDuringMove(
  dataDir: string,
  { url, table, atCommit }: { readonly url: string; readonly table: string; readonly atCommit: boolean },
): Promise<ProgramOutcome> {
  const client = new Client(url)
  await client.connect()
  try {
    await client.query(`create function hold() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(7); return null; end $$`)
    const when = atCommit ? 'deferrable initially deferred' : ''
    await client.query(
      `create constraint trigger hold after insert on "${table}" ${when} for each row execute function hold()`,
    )
    await client.query('select pg_advisory_lock(7)')
    const moving = runTexproof(['move', '--to', url, '--data', dataDir])
    await whenWaiting(client)
    await runTexproof(['user', 'add', 'bob', '--data', dataDir])
    await client.query('select pg_advisory_unlock(7)')
    return await moving
  } finally {
    await client.end()
  }
}

/** Resolves when a process waits for a lock. */
async function whenWaiting(client: Client): Promise<void> {
  const count = async () => (await client.query('select from pg_locks where not granted')).rowCount
  await eventually(count, { within: 30_000, until: (waiting) => waiting === 1 })
}

test(
  'texproof move notices a command that begins and ends during the copy, and can be repeated',
  { skip },
  async (t) => {
    const dataDir = await makeHost(t)
    const url = await createPostgresDatabase(cluster.url)
    // Users are copied before repositories.
    const refused = await addUserDuringMove(dataDir, { url, table: 'repository', atCommit: false })
    const again = await runTexproof(['move', '--to', url, '--data', dataDir])
    const store = await openStore({ dataDir, databaseUrl: url })
    t.after(() => store.close())
    assert.deepEqual(
      [refused, again.exitCode, (await store.users.findByLogin('bob'))?.login],
      [
        {
          exitCode: 1,
          stdout: '',
          stderr: `texproof: a command has changed ${dataDir} during the copy\n          Nothing was moved. Run the command again.\n`,
        },
        0,
        'bob',
      ],
    )
  },
)

test(
  'texproof move notices a command that begins after its check, and keeps the database in place',
  { skip },
  async (t) => {
    const dataDir = await makeHost(t)
    const [url, next] = [await createPostgresDatabase(cluster.url), await createPostgresDatabase(cluster.url)]
    const refused = await addUserDuringMove(dataDir, { url, table: 'user', atCommit: true })
    const left = readdirSync(dataDir).filter((name) => /^texproof(?:-moved-\d+)?\.db/.test(name))
    const again = await runTexproof(['move', '--to', next, '--data', dataDir])
    const store = await openStore({ dataDir, databaseUrl: next })
    t.after(() => store.close())
    assert.deepEqual(
      [refused, left, again.exitCode, (await store.users.findByLogin('bob'))?.login],
      [
        {
          exitCode: 1,
          stdout: '',
          stderr: `texproof: a command used ${dataDir} while its database was moved\n          The copy in PostgreSQL may be incomplete. Create an empty database, and run the command again.\n`,
        },
        ['texproof.db'],
        0,
        'bob',
      ],
    )
  },
)

test('texproof move to SQLite notices a command that changes PostgreSQL during the copy', { skip }, async (t) => {
  const dataDir = await makeHost(t)
  const url = await createPostgresDatabase(cluster.url)
  const env = { TEXPROOF_DATABASE_URL: url }
  await runTexproof(['move', '--data', dataDir], { env })
  const client = new Client(url)
  await client.connect()
  t.after(() => client.end())
  // The copy reads this table after the table of users.
  await client.query('begin; lock table repository in access exclusive mode')
  const first = runTexproof(['move', '--to', 'sqlite:', '--data', dataDir], { env })
  await whenWaiting(client)
  await runTexproof(['user', 'add', 'bob', '--data', dataDir], { env })
  await client.query('commit')
  const refused = await first
  const again = await runTexproof(['move', '--to', 'sqlite:', '--data', dataDir], { env })
  assert.deepEqual(
    [refused, again.exitCode],
    [
      {
        exitCode: 1,
        stdout: '',
        stderr:
          'texproof: a command has changed the PostgreSQL database during the copy\n          Nothing was moved. Run the command again.\n',
      },
      0,
    ],
  )
})

test('two servers share a PostgreSQL database, which must have their sealing key', { skip }, async (t) => {
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const env = { TEXPROOF_DATABASE_URL: url, TEXPROOF_SEALING_KEY: 'ab'.repeat(32) }
  const folders = [makeFolder(t), makeFolder(t)] as const
  const one = await startHost({ dataDir: folders[0], env })
  t.after(() => one.stop('SIGKILL'))
  const two = await startHost({ dataDir: folders[1], env })
  t.after(() => two.stop('SIGKILL'))
  const store = await openStore({ dataDir: folders[0], databaseUrl: url })
  await store.users.add({ ...person, login: 'alice' }, 'u1')
  const token = await createToken(store, { userId: 'u1', name: 'test', scopes: ['repo:write'], expiresAt: null })
  await store.close()
  const login = async (): Promise<unknown> => {
    const response = await fetch(`${two.url}/api/v3/user`, { headers: { Authorization: `token ${token.text}` } })
    return Object(await response.json()).login
  }
  await eventually(login, { within: 10_000, until: (name) => name === 'alice' })
  const moving = await runTexproof(['move', '--to', 'sqlite:', '--data', folders[0]], { env })
  const other = makeFolder(t)
  const refused = await runTexproof(['serve', '--listen', 'localhost:0', '--data', other], {
    env: { ...env, TEXPROOF_SEALING_KEY: 'cd'.repeat(32) },
  })
  const doctor = await runTexproof(['doctor', '--deep', '--data', folders[0]], { env })
  assert.deepEqual(
    [moving, refused].map(({ exitCode, stderr }) => [exitCode, stderr.trim().split('\n').at(-2)]),
    [
      [2, `texproof: a server is using ${folders[0]}`],
      [2, 'texproof: the secrets in the database are encrypted with a different key than sealing_key'],
    ],
  )
  assert.deepEqual(
    [doctor.exitCode, doctor.stdout],
    [0, '✓ deep  database, refs, objects and PDFs of 0 repositories agree\n'],
  )
})

test('doctor --deep leaves no copy of the database if it is interrupted', { skip }, async (t) => {
  const databaseUrl = await createPostgresDatabase(cluster.url)
  const dataDir = makeFolder(t)
  const signal = AbortSignal.abort()
  const place = { dataDir, databaseUrl, bucket: null }
  await assert.rejects(runDeepDoctor(place, 'check', { signal }), { name: 'AbortError' })
  assert.deepEqual(readdirSync(join(dataDir, 'tmp')), [])
})

test('doctor --deep on PostgreSQL finds both a folder without a repository and a missing PDF', { skip }, async (t) => {
  const databaseUrl = await createPostgresDatabase(cluster.url)
  const dataDir = makeFolder(t)
  const store = await openStore({ dataDir, databaseUrl })
  t.after(() => store.close())
  const { repositoryId } = await addTestRepository(store)
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  t.after(() => git.close())
  await git.createRepository(repositoryId, { defaultBranch: 'main', initialCommit: null })
  const { id } = await store.builds.add(exampleNewBuild({ repositoryId, ref: 'refs/tags/v1' }))
  const pdfId = 'ab'.repeat(32)
  await store.builds.finish(id, { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] })
  const orphan = join(dataDir, 'repositories/01/257.git')
  mkdirSync(orphan, { recursive: true })
  const found = await runDeepDoctor({ dataDir, databaseUrl, bucket: null }, 'check')
  assert.deepEqual(
    found.map(({ message }) => message),
    [`${orphan} belongs to no repository in the database`, 'alice/tides: no PDF of refs/tags/v1'],
  )
})

test('a server answers 503 while PostgreSQL restarts, and works afterwards', { skip }, async (t) => {
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const host = await startHost({ dataDir: makeFolder(t), env: { TEXPROOF_DATABASE_URL: url } })
  t.after(() => host.stop('SIGKILL'))
  const ask = async (path: string): Promise<readonly [number, boolean]> => {
    const response = await fetch(`${host.url}${path}`)
    return [response.status, response.headers.has('retry-after')]
  }
  const before = await ask('/api/v3/users/before')
  await cluster.halt()
  const git = '/alice/during.git/info/refs?service=git-upload-pack'
  const during = [await ask('/api/v3/users/during'), await ask('/during'), await ask(git)]
  await cluster.start()
  const afterwards = await eventually(() => ask('/api/v3/users/after'), {
    within: 30_000,
    until: ([status]) => status !== 503,
  })
  assert.deepEqual(
    [before, during, afterwards],
    [
      [404, false],
      [
        [503, true],
        [503, true],
        [503, true],
      ],
      [404, false],
    ],
  )
})

test('GET /metrics omits builds and workers while PostgreSQL restarts', { skip }, async (t) => {
  const url = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const host = await startHost({ dataDir: makeFolder(t), env: { TEXPROOF_DATABASE_URL: url } })
  t.after(() => host.stop('SIGKILL'))
  const ask = async (): Promise<readonly [number, boolean, boolean]> => {
    const response = await fetch(`${host.url}/metrics`)
    const text = await response.text()
    return [response.status, /^platex_compile_slots /m.test(text), /^texproof_/m.test(text)]
  }
  const before = await ask()
  await cluster.halt()
  const during = await ask()
  await cluster.start()
  assert.deepEqual(
    [before, during],
    [
      [200, true, true],
      [200, true, false],
    ],
  )
})

test('a backup of a host on PostgreSQL is restored as SQLite, and moves to an empty database', { skip }, async (t) => {
  const [dataDir, folder, restoredDir] = [makeFolder(t), makeFolder(t), makeFolder(t)]
  const url = await createPostgresDatabase(cluster.url)
  const store = await openStore({ dataDir, databaseUrl: url })
  await store.users.add({ ...person, login: 'alice' }, 'u1')
  await store.close()
  const made = await runTexproof(['backup', 'create', folder, '--data', dataDir], {
    env: { TEXPROOF_DATABASE_URL: url },
  })
  const [file = ''] = readdirSync(folder)
  const restored = await runTexproof(['restore', join(folder, file), '--data', restoredDir])
  const next = await createPostgresDatabase(cluster.url, { isEmpty: true })
  const moved = await runTexproof(['move', '--data', restoredDir], { env: { TEXPROOF_DATABASE_URL: next } })
  const copy = await openStore({ dataDir: restoredDir, databaseUrl: next })
  t.after(() => copy.close())
  assert.deepEqual(
    [made, restored, moved].map(({ exitCode }) => exitCode),
    [0, 0, 0],
  )
  assert.equal((await copy.users.findById('u1'))?.login, 'alice')
})
