import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { addTestRepository } from '../../../test/support/database/open-test-store.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { openStore } from '../store.ts'
import { snapshotSqlite } from './snapshot-sqlite.ts'

const copied = `select type, name, tbl_name, sql from sqlite_schema order by type, name`

/** Schema, version and rows. */
function readAll(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  const schema = database.prepare(copied).all()
  const rows = schema
    .filter(({ type }) => type === 'table')
    .map(({ name }) => [name, database.prepare(`select * from "${String(name)}"`).all()])
  const all = [database.prepare('pragma user_version').all(), schema, rows]
  database.close()
  return all
}

test('snapshotSqlite() copies schema, rows, last ids and version, and what was not yet in the database file', async (t) => {
  const dataDir = makeFolder(t)
  const [path, target] = [join(dataDir, 'texproof.db'), join(dataDir, 'copy.db')]
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  const { owner, repositoryId } = await addTestRepository(store)
  await store.avatars.setOfUser(owner.id, { id: 'a1', contentType: 'image/png', bytes: randomBytes(300) })
  const refs = Array.from({ length: 450 }, (_, count) => `refs/heads/${count}`)
  await store.builds.addAll(refs.map((ref) => exampleNewBuild({ repositoryId, ref })))
  const gone = await store.builds.add(exampleNewBuild({ repositoryId, commitId: 'd'.repeat(40) }))
  await store.builds.removeOfCommit(repositoryId, gone.commitId)
  const open = new DatabaseSync(path)
  open.exec('pragma user_version = 7')
  open.close()
  await snapshotSqlite(path, target)
  assert.deepEqual(readAll(target), readAll(path))
})

test('snapshotSqlite() copies one state, whatever is written meanwhile', async (t) => {
  const dataDir = makeFolder(t)
  const [path, target] = [join(dataDir, 'texproof.db'), join(dataDir, 'copy.db')]
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  await addTestRepository(store)
  const before = readAll(path)
  const copying = snapshotSqlite(path, target)
  // By then the copy has begun.
  await store.settings.set('a', 'b')
  await copying
  assert.deepEqual(readAll(target), before)
})

test('snapshotSqlite() that is stopped leaves no file', async (t) => {
  const dataDir = makeFolder(t)
  const target = join(dataDir, 'copy.db')
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  await addTestRepository(store)
  const stop = new AbortController()
  setImmediate(() => stop.abort())
  await assert.rejects(store.snapshot(target, { signal: stop.signal }), { name: 'AbortError' })
  assert.equal(existsSync(target), false)
})
