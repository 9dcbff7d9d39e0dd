import assert from 'node:assert/strict'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { openApiHost } from '../../../test/support/hosts/api-host.ts'
import { StoreUnavailable } from '../../store/sqlite/store-errors.ts'
import { findStorageProblem } from './find-storage-problem.ts'

test('a host whose repositories are missing on disk has a storage problem', async (t) => {
  const host = await openApiHost()
  t.after(() => host.close())
  const empty = await findStorageProblem(host.store, host)
  const alice = await host.addUser('alice')
  await host.addRepository(alice.user, 'tides')
  const whole = await findStorageProblem(host.store, host)
  const root = join(host.dataDir, 'repositories')
  renameSync(root, `${root}-unmounted`)
  const gone = await findStorageProblem(host.store, host)
  mkdirSync(join(root, 'tmp'), { recursive: true })
  const unmounted = await findStorageProblem(host.store, host)
  const missing = 'the repositories of the database are missing on disk'
  assert.deepEqual([empty, whole, gone, unmounted], [null, null, missing, missing])
})

test('a host whose database is not available has a storage problem', async (t) => {
  const host = await openApiHost()
  t.after(() => host.close())
  const find = async (): Promise<never> => {
    throw new StoreUnavailable({ cause: new Error('ECONNREFUSED') })
  }
  const store = { ...host.store, settings: { ...host.store.settings, find } }
  assert.equal(await findStorageProblem(store, host), 'the database is not available')
})
