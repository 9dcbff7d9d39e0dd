import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { isServed, lockDataDir } from './data-dir-lock.ts'

test('a data directory whose holder cannot be recorded is not locked', (t) => {
  const dataDir = makeFolder(t)
  const holder = { pid: process.pid, url: 'http://localhost' }
  mkdirSync(join(dataDir, 'serve.json'))
  assert.throws(() => lockDataDir(dataDir, holder), { code: 'EISDIR' })
  const afterFailure = isServed(dataDir)
  rmdirSync(join(dataDir, 'serve.json'))
  const lock = lockDataDir(dataDir, holder)
  assert.deepEqual([afterFailure, lock === null], [false, false])
  lock?.release()
})

test('a refused attempt to lock a data directory keeps the lock of its holder', (t) => {
  const dataDir = makeFolder(t)
  const holder = { pid: process.pid, url: 'http://localhost' }
  const lock = lockDataDir(dataDir, holder)
  const second = lockDataDir(dataDir, holder)
  const script = `
    import { DatabaseSync } from 'node:sqlite'
    new DatabaseSync(process.argv[1]).exec('begin exclusive')`
  const args = ['--input-type=module', '--eval', script, join(dataDir, 'serve.lock.db')]
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  lock?.release()
  assert.deepEqual([second, /database is locked/.exec(stderr)?.[0]], [null, 'database is locked'])
})
