import assert from 'node:assert/strict'
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
