import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { openStore } from '../store.ts'
import { NewerSchema } from './migrate.ts'

const alice = { login: 'alice', name: null, email: null, passwordHash: null, isAdmin: false }

test('a write waits for another process that holds the database', async (context) => {
  const dataDir = makeFolder(context)
  const store = await openStore({ dataDir })
  context.after(() => store.close())
  const holder = new DatabaseSync(join(dataDir, 'texproof.db'))
  holder.exec('BEGIN IMMEDIATE')
  const adding = store.users.add(alice, 'u1')
  const released = new Promise((resolve) => setTimeout(resolve, 100)).then(() => {
    holder.exec('COMMIT')
    holder.close()
  })
  await released
  assert.equal((await adding).login, 'alice')
})

test('a database of a newer version is refused and not changed', async (context) => {
  const dataDir = makeFolder(context)
  await (await openStore({ dataDir })).close()
  const database = new DatabaseSync(join(dataDir, 'texproof.db'))
  database.exec(`INSERT INTO kysely_migration VALUES ('9999-future', '2999-01-01T00:00:00.000Z')`)
  database.close()
  await assert.rejects(openStore({ dataDir }), NewerSchema)
})

const isLinux = process.platform === 'linux'
test('a database that cannot be opened is closed again', { skip: !isLinux }, async (context) => {
  const dataDir = makeFolder(context)
  writeFileSync(join(dataDir, 'texproof.db'), 'not a database, but longer than the header of one '.repeat(20))
  await assert.rejects(openStore({ dataDir }), {
    code: 'STORE_DAMAGED',
    message:
      `${join(dataDir, 'texproof.db')} is damaged: file is not a database. ` +
      'Restore a backup: texproof restore FILE --replace',
  })
  const openFiles = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return [] // the descriptor of the listing itself
    }
  })
  assert.deepEqual(
    openFiles.filter((path) => path.startsWith(dataDir)),
    [],
  )
})

test('opening a database again keeps the locks that this process has on it', { skip: !isLinux }, async (context) => {
  const dataDir = makeFolder(context)
  const stores = [await openStore({ dataDir }), await openStore({ dataDir })]
  context.after(() => Promise.all(stores.map((store) => store.close())))
  // Without a lock on the database itself, another program could delete its write-ahead log.
  const { ino } = statSync(join(dataDir, 'texproof.db'))
  const lock = new RegExp(`POSIX +ADVISORY +READ +${process.pid} [0-9a-f]+:[0-9a-f]+:${ino} `)
  assert.match(readFileSync('/proc/locks', 'utf8'), lock)
})
