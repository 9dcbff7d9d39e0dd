import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { commandFor } from '../../config/command-line.ts'
import { checkBackup } from './check-backup.ts'
import { checkDatabase } from './check-database.ts'

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
