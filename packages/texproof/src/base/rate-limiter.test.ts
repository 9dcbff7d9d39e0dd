import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createRateLimiter, type Admission, type RateLimiter } from './rate-limiter.ts'

const RULE = { perMinute: 60, atOncePerKey: 100, atOnce: 100, waitMs: 0 }
const LONG_MS = 600_000

async function enterAll(limiter: RateLimiter, keys: readonly string[]): Promise<readonly Admission[]> {
  const admissions: Admission[] = []
  for (const key of keys) admissions.push(await limiter.enter(key))
  return admissions
}

function kindsOf(admissions: readonly Admission[]): readonly string[] {
  return admissions.map(({ kind }) => kind)
}

test('createRateLimiter() admits a minute of requests at once, then returns when the next is admitted', async () => {
  let nowMs = 0
  const limiter = createRateLimiter({ ...RULE, perMinute: 3 }, () => nowMs)
  const first = await enterAll(limiter, ['a', 'a', 'a', 'a', 'b'])
  nowMs += 19_000
  const early = await limiter.enter('a')
  nowMs += 1_000
  const later = await limiter.enter('a')
  assert.deepEqual(kindsOf(first), ['admitted', 'admitted', 'admitted', 'refused', 'admitted'])
  assert.deepEqual(
    [first[3], early, later.kind],
    [{ kind: 'refused', retryAfterS: 20 }, { kind: 'refused', retryAfterS: 1 }, 'admitted'],
  )
})

test('createRateLimiter() limits the concurrent requests of one client and of all clients', async () => {
  const limiter = createRateLimiter({ ...RULE, atOncePerKey: 2, atOnce: 3 })
  const [first, ...others] = await enterAll(limiter, ['a', 'a', 'a', 'b', 'b'])
  if (first?.kind === 'admitted') {
    first.leave()
    first.leave()
  }
  const later = await enterAll(limiter, ['b', 'b'])
  assert.deepEqual(kindsOf([...others, ...later]), [
    'admitted',
    'refused',
    'admitted',
    'refused',
    'admitted',
    'refused',
  ])
})

test('createRateLimiter() keeps room for clients without a running request', async () => {
  const limiter = createRateLimiter({ ...RULE, atOncePerKey: 2, atOnce: 4, forNewKeys: 2 })
  const admissions = await enterAll(limiter, ['a', 'a', 'a', 'b', 'b', 'c', 'd'])
  assert.deepEqual(kindsOf(admissions), [
    'admitted',
    'admitted',
    'refused',
    'admitted',
    'refused',
    'admitted',
    'refused',
  ])
})

test('createRateLimiter() lets a request wait, and skips others whose client is at its limit', async () => {
  const limiter = createRateLimiter({ ...RULE, atOncePerKey: 1, atOnce: 2, waitMs: LONG_MS })
  const [ofA, ofB] = await enterAll(limiter, ['a', 'b'])
  const order: string[] = []
  const second = limiter.enter('a').then((admission) => order.push(`a ${admission.kind}`))
  const third = limiter.enter('b').then((admission) => order.push(`b ${admission.kind}`))
  if (ofB?.kind === 'admitted') ofB.leave()
  await third
  if (ofA?.kind === 'admitted') ofA.leave()
  await second
  assert.deepEqual(order, ['b admitted', 'a admitted'])
})

test('createRateLimiter() refuses a request that has waited too long', async () => {
  const limiter = createRateLimiter({ ...RULE, atOnce: 1, waitMs: 1 })
  const [, waited] = await enterAll(limiter, ['a', 'b'])
  assert.deepEqual(waited, { kind: 'refused', retryAfterS: 5 })
})
