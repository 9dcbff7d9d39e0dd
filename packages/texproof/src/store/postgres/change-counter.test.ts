import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createChangeCounter } from './change-counter.ts'

test('the version changes with every commit, and after half a second without one', () => {
  let now = 0
  const { add, version } = createChangeCounter(() => now)
  const versions = [version()]
  now = 499
  versions.push(version())
  add()
  versions.push(version())
  now = 998
  versions.push(version())
  now = 999
  versions.push(version())
  assert.deepEqual(versions, [0, 0, 1, 1, 2])
})
