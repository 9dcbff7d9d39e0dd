import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Repository } from '../../../domain/types.ts'
import { repositoryCaching } from './repository-caching.ts'

test('repositoryCaching() lets shared caches keep only files that they revalidate, of public enabled repositories', () => {
  const kinds = [
    { visibility: 'public', isDisabled: false },
    { visibility: 'public', isDisabled: true },
    { visibility: 'private', isDisabled: false },
  ] as unknown as readonly Repository[]
  const forEver = 'private, max-age=31536000, immutable'
  assert.deepEqual(
    kinds.map((kind) => [true, false].map((isForEver) => repositoryCaching(kind, { isForEver }))),
    [
      [forEver, 'public, no-cache'],
      [forEver, 'private, no-cache'],
      [forEver, 'private, no-cache'],
    ],
  )
})
