import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { TaskOutcome } from './open-parsers.ts'
import { createOutcomeCache } from './outcome-cache.ts'

async function countStarts(outcome: TaskOutcome<string>): Promise<number> {
  const cache = createOutcomeCache<string>({ maxSize: 1_000, sizeOf: (text) => text.length })
  let starts = 0
  for (let round = 0; round < 2; round += 1)
    await cache.find('key', () => {
      starts += 1
      return Promise.resolve(outcome)
    })
  return starts
}

test('createOutcomeCache() caches results and failures, but no full queue and no aborted task', async () => {
  const outcomes: readonly TaskOutcome<string>[] = [
    { kind: 'done', value: 'text' },
    { kind: 'timed-out' },
    { kind: 'out-of-memory' },
    { kind: 'failed', error: new Error('invalid') },
    { kind: 'busy' },
    { kind: 'aborted' },
  ]
  assert.deepEqual(await Promise.all(outcomes.map(countStarts)), [1, 1, 1, 1, 2, 2])
})

test('createOutcomeCache() runs a task once for concurrent callers', async () => {
  const cache = createOutcomeCache<string>({ maxSize: 1_000, sizeOf: (text) => text.length })
  let starts = 0
  const ask = () =>
    cache.find('key', async () => {
      starts += 1
      return { kind: 'done', value: 'text' }
    })
  assert.deepEqual(
    [await Promise.all([ask(), ask()]), starts],
    [
      [
        { kind: 'done', value: 'text' },
        { kind: 'done', value: 'text' },
      ],
      1,
    ],
  )
})

test('createOutcomeCache() evicts entries beyond its size', async () => {
  const cache = createOutcomeCache<string>({ maxSize: 100, sizeOf: (text) => text.length })
  const starts: string[] = []
  const ask = (key: string) =>
    cache.find(key, async () => {
      starts.push(key)
      return { kind: 'done', value: 'x'.repeat(60) }
    })
  for (const key of ['a', 'b', 'a']) await ask(key)
  assert.deepEqual(starts, ['a', 'b', 'a'])
})
