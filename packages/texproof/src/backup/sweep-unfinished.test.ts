import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { makeFolder } from '../../test/support/make-folder.ts'
import { sweepUnfinished } from './sweep-unfinished.ts'

test('sweepUnfinished() removes what was left behind a day ago, and nothing else', async (t) => {
  const dataDir = makeFolder(t)
  const old = ['backup-0123456789ab', 'doctor-aB3dE6', 'fetches']
  for (const name of [...old, 'backup-ba9876543210', 'doctor-zZ9zZ9'])
    mkdirSync(join(dataDir, 'tmp', name), { recursive: true })
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  for (const name of old) utimesSync(join(dataDir, 'tmp', name), twoDaysAgo, twoDaysAgo)
  await sweepUnfinished(dataDir, join(dataDir, 'backups'))
  assert.deepEqual(readdirSync(join(dataDir, 'tmp')).toSorted(), ['backup-ba9876543210', 'doctor-zZ9zZ9', 'fetches'])
})
