import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

import { addTestRepository } from '../../../test/support/database/open-test-store.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { commandFor } from '../../config/command-line.ts'
import { openStore } from '../../store/store.ts'
import { sealSecret } from '../../webhooks/webhook-secret.ts'
import { checkDatabase } from '../doctor/check-database.ts'
import { resetSealingKey, useSealingKey } from './use-sealing-key.ts'

const otherKey = 'cd'.repeat(32)

/** A host with SQLite and a webhook, whose secret is sealed; a host of an earlier version stores no fingerprint. */
async function openHost(t: TestContext) {
  const dataDir = makeFolder(t)
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  const { repositoryId } = await addTestRepository(store)
  const sealedSecret = await sealSecret('secret', { dataDir, repositoryId })
  await store.webhooks.add({ repositoryId, url: 'https://a.example', sealedSecret, events: ['push'], isActive: true })
  const place = { dataDir, databaseUrl: null, sealingKey: null }
  return { store, place, path: join(dataDir, 'sealing.key'), start: () => useSealingKey(place, store) }
}

const remedyIn = (dataDir: string): string =>
  `Restore sealing.key from a backup. To continue without these secrets: ${commandFor(dataDir, 'sealing-key reset')}`

test('a host whose sealing key is missing does not start, and creates no other', async (t) => {
  const { place, path, start } = await openHost(t)
  await start()
  rmSync(path)
  await assert.rejects(start(), {
    name: 'CliError',
    exitCode: 2,
    message: `the key of the secrets in the database is missing: ${path}`,
    remedy: remedyIn(place.dataDir),
  })
  assert.equal(existsSync(path), false)
})

test('a host with another sealing key does not start, and doctor reports it', async (t) => {
  const { place, path, start } = await openHost(t)
  await start()
  writeFileSync(path, `${otherKey}\n`)
  const message = `the secrets in the database are encrypted with a different key than ${path}`
  const remedy = remedyIn(place.dataDir)
  await assert.rejects(start(), { exitCode: 2, message, remedy })
  assert.deepEqual(await checkDatabase(place), [{ check: 'secrets', state: 'broken', message, remedy }])
})

test('a host of an earlier version starts only with the key of its secrets', async (t) => {
  const { store, path, start } = await openHost(t)
  const right = readFileSync(path)
  rmSync(path)
  await assert.rejects(start(), { exitCode: 2 })
  writeFileSync(path, `${otherKey}\n`)
  await assert.rejects(start(), { exitCode: 2 })
  writeFileSync(path, right)
  await start()
  assert.notEqual(await store.settings.find('sealing.fingerprint'), null)
})

test('a host without secrets starts without a sealing key', async (t) => {
  const dataDir = makeFolder(t)
  const store = await openStore({ dataDir })
  t.after(() => store.close())
  await useSealingKey({ dataDir, databaseUrl: null, sealingKey: null }, store)
  assert.equal(existsSync(join(dataDir, 'sealing.key')), false)
})

test('a configured key that does not match the database is not saved', async (t) => {
  const { store, place, path, start } = await openHost(t)
  await start()
  rmSync(path)
  await assert.rejects(useSealingKey({ ...place, sealingKey: otherKey }, store), {
    message: 'the secrets in the database are encrypted with a different key than sealing_key',
  })
  assert.equal(existsSync(path), false)
})

test('after a reset, a host starts with a new sealing key', async (t) => {
  const { store, place, path, start } = await openHost(t)
  await start()
  rmSync(path)
  await resetSealingKey(place, store.settings)
  await start()
  assert.equal(existsSync(path), true)
})
