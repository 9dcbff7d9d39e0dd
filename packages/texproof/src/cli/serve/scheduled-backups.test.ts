import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isBackupDue } from './scheduled-backups.ts'

const now = 1_700_000_000_000
const everyMs = 3_600_000

test('a backup is due once the last attempt is old enough, even after the clock was set back', () => {
  const cases = [null, now - everyMs, now - everyMs + 1, now + 86_400_000]
  assert.deepEqual(
    cases.map((attemptAt) => isBackupDue(attemptAt, { everyMs, now })),
    [true, true, false, true],
  )
})
