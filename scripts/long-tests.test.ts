import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

import { longTests } from './long-tests.ts'

test('each long test file exists, and is listed once', () => {
  const files = longTests.flatMap((group) => group.files)
  const absent = files.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))
  assert.deepEqual([absent, new Set(files).size], [[], files.length])
})
