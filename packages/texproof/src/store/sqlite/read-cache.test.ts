import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createReadCache } from './read-cache.ts'

test('a result is loaded once while the version is the same, and again after it has changed', async () => {
  let version = 1
  let loads = 0
  const read = createReadCache(() => version)
  const load = async () => ({ load: (loads += 1) })
  const answers = [await read('a', load), await read('a', load), await read('b', load)]
  version = 2
  answers.push(await read('a', load))
  assert.deepEqual(answers, [{ load: 1 }, { load: 1 }, { load: 2 }, { load: 3 }])
})

test('a result is returned but not cached if the version changes while it is loaded', async () => {
  let version = 1
  const read = createReadCache(() => version)
  const disturbed = await read('a', async () => {
    version = 2
    return { of: 1 }
  })
  const next = await read('a', async () => ({ of: 2 }))
  assert.deepEqual([disturbed, next], [{ of: 1 }, { of: 2 }])
})

test('a failed load is retried', async () => {
  const read = createReadCache(() => 1)
  await assert.rejects(async () => read('a', () => Promise.reject(new Error('busy'))), { message: 'busy' })
  assert.deepEqual(await read('a', async () => ({ of: 2 })), { of: 2 })
})

test('a result under a long key takes the place of many others', async () => {
  const read = createReadCache(() => 1)
  let loads = 0
  const load = async () => ({ load: (loads += 1) })
  const longName = 'x'.repeat(10_000_000)
  for (const key of ['a', `b${longName}`, `c${longName}`, `d${longName}`, 'a']) await read(key, load)
  assert.equal(loads, 5)
})
