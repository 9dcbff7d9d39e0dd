import assert from 'node:assert/strict'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { addTestRepository } from '../../../test/support/database/open-test-store.ts'
import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { makeFolder } from '../../../test/support/make-folder.ts'
import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { commandFor } from '../../config/command-line.ts'
import { openStore } from '../../store/store.ts'
import { checkBackup } from './check-backup.ts'
import { checkDatabase } from './check-database.ts'

test('doctor names a certificate file of PostgreSQL that cannot be read', async (t) => {
  const databaseUrl = 'postgres://texproof@127.0.0.1:1/texproof?sslmode=verify-full&sslrootcert=/missing/ca.pem'
  assert.deepEqual(await checkDatabase({ ...testConfig, dataDir: makeFolder(t), databaseUrl }), [
    {
      check: 'database',
      state: 'broken',
      message: 'cannot use PostgreSQL: sslrootcert names /missing/ca.pem, which cannot be read',
      remedy: 'Correct the path in TEXPROOF_DATABASE_URL, or make the file readable.',
    },
  ])
})

test('doctor reports a file that is no database once, and how to restore a backup', async (t) => {
  const dataDir = makeFolder(t)
  writeFileSync(join(dataDir, 'texproof.db'), 'not a database, but longer than the header of one '.repeat(20))
  const config = { ...testConfig, dataDir, backup: { everyMs: null, keep: 7, dir: dataDir, isIncremental: false } }
  assert.deepEqual(
    [await checkDatabase(config), await checkBackup(config)],
    [
      [
        {
          check: 'database',
          state: 'broken',
          message: `${dataDir}/texproof.db is damaged: file is not a database`,
          remedy: `Restore a backup: ${commandFor(dataDir, 'restore FILE --replace')}`,
        },
      ],
      [],
    ],
  )
})

test('doctor reports that the repositories of the database are missing on disk', async (t) => {
  const dataDir = makeFolder(t)
  const databaseUrl = await createTestDatabase(dataDir)
  const store = await openStore({ dataDir, databaseUrl })
  t.after(() => store.close())
  await addTestRepository(store)
  const root = join(dataDir, 'repositories')
  mkdirSync(join(root, '00', '1.git'), { recursive: true })
  const findings = async () => {
    const found = await checkDatabase({ ...testConfig, dataDir, databaseUrl })
    return found.filter(({ check }) => check === 'repositories')
  }
  const whole = await findings()
  renameSync(root, `${root}-unmounted`)
  assert.deepEqual(
    [whole, await findings()],
    [
      [],
      [
        {
          check: 'repositories',
          state: 'broken',
          message: `the repositories of the database are missing in ${root}`,
          remedy: `Mount their disk, or restore a backup: ${commandFor(dataDir, 'restore FILE --replace')}`,
        },
      ],
    ],
  )
})
