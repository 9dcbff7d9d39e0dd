import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'

import * as Y from 'yjs'

import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { addTestUser } from '../../../test/support/hosts/add-test-user.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { openStore, type Store } from '../store.ts'
import { lockDataDir } from './data-dir-lock.ts'
import { knownMigrations } from './migrate.ts'

const newest = '0050-build-retention'

/** A data directory with a user and with a database from before the newest migration. */
async function makeOlder(context: TestContext): Promise<string> {
  const dataDir = makeFolder(context)
  const store = await openStore({ dataDir })
  await store.settings.set('test', 'kept')
  await store.close()
  const database = new DatabaseSync(join(dataDir, 'texproof.db'))
  database.exec(
    `drop index build_finished; drop index build_pdf; delete from kysely_migration where name = '${newest}'`,
  )
  database.close()
  return dataDir
}

function read(path: string): { readonly migrations: number; readonly setting: unknown } {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const migrations = Number(database.prepare('select count(*) as count from kysely_migration').get()?.['count'])
    const setting = database.prepare("select value from host_setting where key = 'test'").get()?.['value']
    return { migrations, setting }
  } finally {
    database.close()
  }
}

test('an upgrade copies the database first, with access for its owner only, and keeps the newest three copies', async (t) => {
  const dataDir = await makeOlder(t)
  const folder = join(dataDir, 'before-upgrade')
  mkdirSync(folder)
  for (const name of ['0001', '0002', '0003'].map((number) => `texproof-${number}-migrations.db`))
    writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  await (await openStore({ dataDir })).close()
  const count = knownMigrations.length
  const copy = `texproof-${String(count - 1).padStart(4, '0')}-migrations.db`
  assert.deepEqual(
    [
      readdirSync(folder).toSorted(),
      statSync(join(folder, copy)).mode & 0o777,
      read(join(folder, copy)),
      read(join(dataDir, 'texproof.db')),
    ],
    [
      ['notes.txt', 'texproof-0002-migrations.db', 'texproof-0003-migrations.db', copy],
      0o600,
      { migrations: count - 1, setting: 'kept' },
      { migrations: count, setting: 'kept' },
    ],
  )
})

test('a new database and one that is up to date are not copied', async (t) => {
  const dataDir = makeFolder(t)
  for (let time = 0; time < 2; time += 1) await (await openStore({ dataDir })).close()
  assert.equal(existsSync(join(dataDir, 'before-upgrade')), false)
})

test('a database that is up to date is opened without a lock file, which takes disk space', async (t) => {
  const dataDir = makeFolder(t)
  await (await openStore({ dataDir })).close()
  rmSync(join(dataDir, 'texproof.lock.db'))
  await (await openStore({ dataDir })).close()
  assert.deepEqual(readdirSync(dataDir), ['texproof.db'])
})

test('a database that cannot be copied is not upgraded', async (t) => {
  const dataDir = await makeOlder(t)
  writeFileSync(join(dataDir, 'before-upgrade'), 'no folder')
  await assert.rejects(openStore({ dataDir }), { code: 'EEXIST' })
  assert.equal(read(join(dataDir, 'texproof.db')).migrations, knownMigrations.length - 1)
})

test('a command upgrades no database while a server runs on it', async (t) => {
  const dataDir = await makeOlder(t)
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'http://localhost' })
  await assert.rejects(openStore({ dataDir, migratesServed: false }), {
    code: 'SCHEMA_IN_USE',
    message:
      `a server of an earlier version is running on ${dataDir}, and this version has to upgrade its database first: ` +
      'stop the server, or use the command of its version',
  })
  const during = read(join(dataDir, 'texproof.db')).migrations
  lock?.release()
  await (await openStore({ dataDir, migratesServed: false })).close()
  assert.deepEqual(
    [during, read(join(dataDir, 'texproof.db')).migrations],
    [knownMigrations.length - 1, knownMigrations.length],
  )
})

/** The tables that 0060 created and 0065 replaced. */
const DRAFTS_BEFORE_SHARING = `
  drop table draft_author; drop table draft_update; drop table shared_draft;
  delete from kysely_migration where name = '0065-shared-drafts';
  create table draft (
    user_id text not null references user (id) on delete cascade,
    repository_id integer not null references repository (id) on delete cascade,
    branch text not null, path text not null, text text not null, size_bytes integer not null,
    opened_id text not null, revision integer not null, updated_at bigint not null,
    constraint draft_key primary key (user_id, repository_id, branch, path)
  );
  create index draft_repository on draft (repository_id);
`

async function addUser(store: Store, login: string) {
  const outcome = await addTestUser(store, { login })
  if (outcome.kind !== 'added') throw new Error(outcome.reason)
  return outcome.user
}

function readState(state: Uint8Array): string {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  return doc.getText('text').toString()
}

test('an upgrade to shared drafts keeps the newest draft of a file, and the drafts of others beside it', async (t) => {
  const dataDir = makeFolder(t)
  const older = await openStore({ dataDir })
  const [alice, bob] = [await addUser(older, 'alice'), await addUser(older, 'bob')]
  const details = { name: 'tides', description: null, visibility: 'private', defaultBranch: 'main' } as const
  const repositoryId = await older.repositories.addUnfinished({ owner: alice, ...details })
  await older.close()
  const database = new DatabaseSync(join(dataDir, 'texproof.db'))
  database.exec(DRAFTS_BEFORE_SHARING)
  const insert = database.prepare(`insert into draft values (?, ?, 'main', ?, ?, ?, 'c0ffee', 3, ?)`)
  insert.run(alice.id, repositoryId, 'parts/ebb.tex', 'Older, by Alice.\n', 17, 1_000)
  insert.run(bob.id, repositoryId, 'parts/ebb.tex', 'Newer, by Bob: é 🌊.\n', 21, 2_000)
  insert.run(alice.id, repositoryId, 'main.tex', '', 0, 3_000)
  database.close()
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  const paths = ['main.tex', 'parts/ebb.tex', 'parts/ebb (draft of alice).tex']
  const found = await Promise.all(paths.map((path) => store.drafts.find({ repositoryId, branch: 'main', path })))
  assert.deepEqual(
    found.map((draft) => [
      draft === null ? null : readState(draft.state),
      draft?.authors,
      [draft?.openedId, draft?.revision, draft?.isChanged, draft?.updatedAt],
    ]),
    [
      ['', [{ userId: alice.id, revision: 1 }], ['c0ffee', 1, true, 3_000]],
      ['Newer, by Bob: é 🌊.\n', [{ userId: bob.id, revision: 1 }], ['c0ffee', 1, true, 2_000]],
      ['Older, by Alice.\n', [{ userId: alice.id, revision: 1 }], ['c0ffee', 1, true, 1_000]],
    ],
  )
  const listed = await store.drafts.listOfUser(alice.id, 10)
  assert.deepEqual(
    listed.map(({ path }) => path),
    ['main.tex', 'parts/ebb (draft of alice).tex'],
  )
})

test('a branch that was deleted before an upgrade keeps its builds when it is restored', async (t) => {
  const dataDir = makeFolder(t)
  const older = await openStore({ dataDir })
  const alice = await addUser(older, 'alice')
  const details = { name: 'tides', description: null, visibility: 'private', defaultBranch: 'main' } as const
  const repositoryId = await older.repositories.addUnfinished({ owner: alice, ...details })
  const build = await older.builds.add(exampleNewBuild({ repositoryId, ref: 'refs/heads/old' }))
  for (const name of ['old', 'unbuilt'])
    await older.deletedBranches.add({ repositoryId, name, commitId: 'c', deletedBy: alice.id })
  await older.close()
  const database = new DatabaseSync(join(dataDir, 'texproof.db'))
  database.exec(`
    drop index build_ref; alter table build drop column ended_with_id;
    alter table deleted_branch drop column last_build_id;
    delete from kysely_migration where name = '0125-former-branches'`)
  database.close()
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  const deleted = await store.deletedBranches.listOfRepository(repositoryId, { since: 0 })
  assert.deepEqual(
    deleted.map(({ name, lastBuildId }) => [name, lastBuildId]),
    [
      ['unbuilt', null],
      ['old', build.id],
    ],
  )
})
