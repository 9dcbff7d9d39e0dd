import assert from 'node:assert/strict'
import { test } from 'node:test'

import { PUSH_MEMORY } from './push-memory.ts'
import { explainRefusedPack } from './receive-limits.ts'

const { largeBytes, smallBytes } = PUSH_MEMORY
const limits = { tooLarge: 'the push is larger than the limit of 1 GB', maxMemoryBytes: largeBytes }

test('explainRefusedPack() names the limit that a push has reached', () => {
  const outputs = [
    'fatal: pack exceeds maximum allowed size (1.00 GiB)',
    'fatal: attempting to allocate 3000000001 over limit 536870912',
    'fatal: Out of memory, malloc failed (tried to allocate 500000000 bytes)',
    'error: index-pack died of signal 24',
    'error: index-pack died of signal 25',
    'remote: the push unpacks to 600 MB, more than the limit of 512 MB',
  ]
  assert.deepEqual(
    outputs.map((output) => explainRefusedPack(output, limits)),
    [
      'the push is larger than the limit of 1 GB',
      'an object of the push is larger than the limit of 512 MB',
      'unpacking the push needs more than the limit of 1280 MB of memory',
      'unpacking the push takes more than the limit of 120 s of CPU time',
      'the push takes too much space on disk',
      'the push unpacks to 600 MB, more than the limit of 512 MB',
    ],
  )
})

test('explainRefusedPack() says of a push with little memory that the server is busy', () => {
  const output = 'fatal: Out of memory, malloc failed (tried to allocate 500000000 bytes)'
  assert.equal(
    explainRefusedPack(output, { ...limits, maxMemoryBytes: smallBytes }),
    'unpacking the push needs more than 256 MB of memory, and the server is busy with other pushes: push again later',
  )
})

test('explainRefusedPack() returns null for other errors of git', () => {
  assert.equal(explainRefusedPack('error: object 12ab: hasDotgit: contains .git', limits), null)
})
