import assert from 'node:assert/strict'
import { test } from 'node:test'

import { isBackupDue } from './scheduled-backups.ts'

const now = 1_700_000_000_000
const everyMs = 3_600_000
const last = (at: number) => ({ at, path: '', sizeBytes: 1 })
const failed = (at: number) => ({ at, reason: 'full' })

test('a backup is due once the last attempt is old enough, also after the clock was set back', () => {
  const cases = [
    { last: null, failed: null },
    { last: last(now - everyMs), failed: null },
    { last: last(now - everyMs + 1), failed: null },
    { last: last(now - everyMs), failed: failed(now - 1) },
    { last: last(now + 86_400_000), failed: null },
    { last: last(now - 1), failed: failed(now + 86_400_000) },
  ]
  assert.deepEqual(
    cases.map((record) => isBackupDue(record, { everyMs, now })),
    [true, true, false, false, true, false],
  )
})
