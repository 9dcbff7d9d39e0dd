import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { Kysely } from 'kysely'

import { eventually } from '../../../../platex/test/support/eventually.ts'
import { createLimiter } from '../../base/limiter.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { SqliteHandle } from './sqlite-handle.ts'
import { LogFailed, openWriteAheadLog } from './write-ahead-log.ts'

interface Notes {
  readonly note: { readonly text: string }
}

/** A table with a log whose flushes end when the test says so. */
async function openNotes(context: TestContext, { isLeft = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-log-'))
  const path = join(folder, 'texproof.db')
  const writer = new SqliteHandle(path)
  const reader = new SqliteHandle(path)
  writer.run('CREATE TABLE note (text TEXT NOT NULL)', [])
  assert.equal(writer.leaveFlushing(), true)
  const flushes: PromiseWithResolvers<void>[] = []
  const writers = createLimiter({ atOnce: 1 })
  const sync = (): Promise<void> => {
    const flush = Promise.withResolvers<void>()
    flushes.push(flush)
    return flush.promise
  }
  /** Waits for the flush of this number, counted from 0. */
  const endFlush = async (index: number): Promise<void> => (await eventually(() => flushes[index])).resolve()
  const reports: Error[] = []
  const onCheckpointsFail = (error: Error): void => void reports.push(error)
  const log = openWriteAheadLog({ databasePath: path, writers, isLeft, onCheckpointsFail, sync })
  const db = new Kysely<Notes>({ dialect: sqliteDialect({ reader, writer, writers, settle: log.settle }) })
  context.after(async () => {
    for (const { resolve } of flushes) resolve()
    await log.close()
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  const add = async (text: string): Promise<string> => {
    await db.insertInto('note').values({ text }).execute()
    return text
  }
  const addInTransaction = async (text: string): Promise<string> => {
    await db.transaction().execute((transaction) => transaction.insertInto('note').values({ text }).execute())
    return text
  }
  const read = async (): Promise<readonly string[]> =>
    (await db.selectFrom('note').select('text').execute()).map(({ text }) => text)
  return { path, db, log, reports, flushes, endFlush, add, addInTransaction, read }
}

/** Long enough for everything that does not wait for a flush. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

test('a write ends after its flush, and reads do not wait for it', async (context) => {
  const { endFlush, add, addInTransaction, read } = await openNotes(context)
  const ended: string[] = []
  const first = add('a').then((text) => ended.push(text))
  await turn()
  const seen = [await read(), [...ended]]
  await endFlush(0)
  await first
  const second = addInTransaction('b').then((text) => ended.push(text))
  await turn()
  seen.push([...ended])
  await endFlush(1)
  await second
  assert.deepEqual([...seen, ended], [['a'], [], ['a'], ['a', 'b']])
})

test('writes during a flush share the next one', async (context) => {
  const { flushes, add, addInTransaction, read, endFlush } = await openNotes(context)
  const first = add('a')
  await turn()
  const others = [add('b'), addInTransaction('c'), add('d')]
  await turn()
  const counts = [flushes.length]
  await endFlush(0)
  await first
  await turn()
  counts.push(flushes.length)
  await endFlush(1)
  assert.deepEqual(
    [await Promise.all(others), counts, await read()],
    [
      ['b', 'c', 'd'],
      [1, 2],
      ['a', 'b', 'c', 'd'],
    ],
  )
})

test('a transaction that changes nothing is not flushed', async (context) => {
  const { db, flushes } = await openNotes(context)
  await db.transaction().execute((transaction) => transaction.selectFrom('note').selectAll().execute())
  await db.deleteFrom('note').where('text', '=', 'none').execute()
  assert.deepEqual(flushes, [])
})

test('a write that changes nothing waits for a commit that is being flushed', async (context) => {
  const { db, endFlush, add } = await openNotes(context)
  const ended: string[] = []
  const first = add('a')
  await turn()
  const second = db
    .deleteFrom('note')
    .where('text', '=', 'none')
    .execute()
    .then(() => ended.push('none'))
  await turn()
  const before = [...ended]
  await endFlush(0)
  await first
  await turn()
  await endFlush(1)
  await second
  assert.deepEqual([before, ended], [[], ['none']])
})

test('after a failed flush no write is acknowledged, no transaction is rolled back, and the database is not touched', async (context) => {
  const { db, log, path, flushes, add, addInTransaction, read } = await openNotes(context)
  await log.checkpoint()
  const failing = addInTransaction('a')
  await turn()
  const isHalf = Promise.withResolvers<void>()
  const other = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('note').values({ text: 'b' }).execute()
    await isHalf.promise
    await transaction.insertInto('note').values({ text: 'c' }).execute()
  })
  const { reject } = await eventually(() => flushes[0])
  reject(new Error('input/output error'))
  await assert.rejects(failing, LogFailed)
  isHalf.resolve()
  await assert.rejects(other, LogFailed)
  await assert.rejects(add('d'), LogFailed)
  await log.checkpoint()
  assert.deepEqual([await read(), await readAlone(path), log.hasFailed], [['a', 'b', 'c', 'd'], [], true])
})

test('the log that an earlier server left is copied before the first write ends', async (context) => {
  const { path, flushes, add, endFlush } = await openNotes(context, { isLeft: true })
  const writing = add('a')
  await eventually(() => flushes[0])
  const seen = await readAlone(path)
  await endFlush(0)
  await writing
  assert.deepEqual(seen, ['a'])
})

test('a checkpoint copies every commit, and begins a new log', async (context) => {
  const { path, log, endFlush, add } = await openNotes(context)
  await log.checkpoint()
  const writing = add('a')
  await endFlush(0)
  await writing
  const before = await readAlone(path)
  await log.checkpoint()
  const after = await readAlone(path)
  const pagesInLog = new DatabaseSync(path).prepare('PRAGMA wal_checkpoint(passive)').get()?.['log']
  assert.deepEqual([before, after, pagesInLog], [[], ['a'], 1])
})

test('checkpoints that fail are reported once until one succeeds, with the reason and a remedy', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-log-'))
  context.after(() => rm(folder, { recursive: true }))
  const databasePath = join(folder, 'place', 'texproof.db')
  const reports: string[] = []
  const writers = createLimiter({ atOnce: 1 })
  const log = openWriteAheadLog({ databasePath, writers, onCheckpointsFail: ({ message }) => reports.push(message) })
  context.after(() => log.close())
  const counts: number[] = []
  for (let series = 0; series < 2; series += 1) {
    for (let failed = 0; failed < 5; failed += 1) {
      await log.checkpoint()
      counts.push(reports.length)
    }
    await mkdir(dirname(databasePath))
    new SqliteHandle(databasePath).close()
    await log.checkpoint()
    await rm(dirname(databasePath), { recursive: true })
  }
  const report = `cannot copy ${databasePath}-wal into the database: unable to open database file. It grows, and reads become slower. Check the disk and its free space.`
  assert.deepEqual(
    [counts, reports],
    [
      [0, 0, 1, 1, 1, 1, 1, 2, 2, 2],
      [report, report],
    ],
  )
})

test('a database that stays in use is reported after some checkpoints', async (context) => {
  const { path, log, reports, endFlush, add } = await openNotes(context)
  const reader = new DatabaseSync(path)
  context.after(() => reader.close())
  reader.exec('begin')
  reader.prepare('select * from note').all()
  const writing = add('a')
  await endFlush(0)
  await writing
  for (let failed = 0; failed < 11; failed += 1) await log.checkpoint()
  assert.deepEqual(
    reports.map(({ message }) => message),
    [
      `cannot copy ${path}-wal into the database: the database is in use. It grows, and reads become slower. If no backup is running, end the commands that read the database.`,
    ],
  )
})

/** Rows in the database file, without its log. */
async function readAlone(path: string): Promise<readonly unknown[]> {
  const copy = `${path}-copy`
  await copyFile(path, copy)
  const database = new DatabaseSync(copy)
  try {
    return database
      .prepare('SELECT text FROM note')
      .all()
      .map(({ text }) => text)
  } finally {
    database.close()
    await rm(copy)
  }
}
