import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { commandFor } from '../../config/command-line.ts'
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
