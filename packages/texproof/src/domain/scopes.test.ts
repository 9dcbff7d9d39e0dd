import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseScopes } from './scopes.ts'

test('parseScopes() removes unknown words and duplicates', () => {
  assert.deepEqual(['repo:write', 'repo:write,admin repo:write', '', 'REPO:WRITE'].map(parseScopes), [
    ['repo:write'],
    ['repo:write'],
    [],
    [],
  ])
})
