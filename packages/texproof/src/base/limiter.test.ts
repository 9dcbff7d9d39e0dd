import assert from 'node:assert/strict'
import { setImmediate as tick } from 'node:timers/promises'
import { test } from 'node:test'

import { createLimiter, TooManyWaiting } from './limiter.ts'

test('createLimiter() runs a limited number at once and the others in order, even after failures', async () => {
  const limiter = createLimiter({ atOnce: 2 })
  const events: string[] = []
  const work = (name: string) => async (): Promise<void> => {
    events.push(`+${name}`)
    await tick()
    events.push(`-${name}`)
    if (name === 'a') throw new Error(name)
  }
  const ends = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => limiter.run('key', work(name))))
  assert.deepEqual(
    [events, ends.map(({ status }) => status)],
    [
      ['+a', '+b', '-a', '+c', '-b', '+d', '-c', '-d'],
      ['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ],
  )
})

test('createLimiter() serves keys in turn, however many wait for one of them', async () => {
  const limiter = createLimiter({ atOnce: 1 })
  const done: string[] = []
  const keys = ['a', 'a', 'a', 'a', 'b', 'b', 'c']
  await Promise.all(keys.map((key, n) => limiter.run(key, async () => void done.push(`${key}${n}`))))
  assert.deepEqual(done, ['a0', 'a1', 'b4', 'c6', 'a2', 'b5', 'a3'])
})

test('createLimiter() refuses what exceeds the queue of a key, and admits other keys', async () => {
  const limiter = createLimiter({ atOnce: 1, maxWaitingPerKey: 1 })
  const ends = await Promise.allSettled(['a', 'a', 'a', 'b'].map((key) => limiter.run(key, () => tick(key))))
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason instanceof TooManyWaiting)),
    ['a', 'a', true, 'b'],
  )
})

test('createLimiter() removes aborted work from the queue, and no other', async () => {
  const limiter = createLimiter({ atOnce: 1 })
  const leaving = new AbortController()
  const first = limiter.run('a', () => tick('first'))
  const second = limiter.run('a', () => tick('second'), { signal: leaving.signal })
  const third = limiter.run('a', () => tick('third'))
  leaving.abort('gone')
  const ends = await Promise.allSettled([first, second, third, limiter.run('a', () => tick('fourth'))])
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason)),
    ['first', 'gone', 'third', 'fourth'],
  )
})

test('createLimiter() refuses what exceeds the queue of all keys', async () => {
  const limiter = createLimiter({ atOnce: 1, maxWaiting: 1 })
  const ends = await Promise.allSettled(['a', 'b', 'c'].map((key) => limiter.run(key, () => tick(key))))
  assert.deepEqual(
    ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason instanceof TooManyWaiting)),
    ['a', 'b', true],
  )
})

test('createLimiter() keeps room for keys without running work, and serves waiting keys as room appears', async () => {
  const limiter = createLimiter({ atOnce: 3, forNewKeys: 1 })
  const leaves = [await limiter.enter('a'), await limiter.enter('a')]
  const order: string[] = []
  const second = limiter.enter('a').then((leave) => (order.push('a'), leave))
  const other = await limiter.enter('b')
  order.push('b')
  for (const leave of leaves) leave()
  const last = await second
  assert.deepEqual(order, ['b', 'a'])
  for (const leave of [other, last]) leave()
})

test('createLimiter() limits each key, by a lower limit if one is given, and delays no other key', async () => {
  const limiter = createLimiter({ atOncePerKey: 2 })
  const entered: string[] = []
  const enter = async (name: string, key: string, atOncePerKey: number): Promise<() => void> => {
    const leave = await limiter.enter(key, { atOncePerKey })
    entered.push(name)
    return leave
  }
  const first = await enter('first', 'alice', 1)
  const second = enter('second', 'alice', 1)
  const third = enter('third', 'alice', 1)
  await enter('of bob', 'bob', 9)
  const before = [...entered]
  first()
  first()
  ;(await second)()
  ;(await third)()
  assert.deepEqual(
    [before, entered],
    [
      ['first', 'of bob'],
      ['first', 'of bob', 'second', 'third'],
    ],
  )
})
