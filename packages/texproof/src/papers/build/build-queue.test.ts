import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Build } from '../../domain/build.ts'
import { exampleBuild } from '../../../test/support/example-build.ts'
import { createBuildQueue, type BuildQueue } from './build-queue.ts'
import { HEAVY_MS, KEEP_FREE_MS } from './fair-queue.ts'

function makeBuild(id: number, repositoryId: number, ref = 'refs/heads/main', state: Build['state'] = 'queued'): Build {
  return exampleBuild({ id, repositoryId, number: id, ref, state, pdfId: null, startedAt: null, finishedAt: null })
}

const ALICE = { ownerId: 'alice' }
const BOB = { ownerId: 'bob' }

/** A queue whose builds end when the test ends them, with a clock that the test advances. */
function makeQueue(concurrency: number): {
  readonly queue: BuildQueue
  readonly started: number[]
  readonly cancelled: number[]
  readonly requeued: number[]
  readonly faults: unknown[]
  readonly pass: (ms: number) => void
  readonly end: (id: number, error?: Error) => Promise<void>
} {
  const started: number[] = []
  const cancelled: number[] = []
  const requeued: number[] = []
  let nowMs = 0
  const faults: unknown[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const queue = createBuildQueue({
    countSlots: () => concurrency,
    run: async (build, signal) => {
      started.push(build.id)
      const end = Promise.withResolvers<void>()
      ends.set(build.id, end)
      signal.addEventListener('abort', () => end.reject(signal.reason))
      await end.promise
      return 'over'
    },
    cancel: async (ids) => void cancelled.push(...ids),
    requeue: async (id) => void requeued.push(id),
    now: () => nowMs,
    onFault: (error) => faults.push(error),
  })
  const end = async (id: number, error?: Error): Promise<void> => {
    const over = queue.whenOver(id)
    if (error === undefined) ends.get(id)?.resolve()
    else ends.get(id)?.reject(error)
    await over
    await new Promise((resolve) => setImmediate(resolve))
  }
  const pass = (ms: number): void => void (nowMs += ms)
  return { queue, started, cancelled, requeued, faults, pass, end }
}

test('createBuildQueue() gives every repository of an owner its turn before one gets a second', async () => {
  const { queue, started, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  queue.add([makeBuild(2, 1, 'refs/heads/a')], ALICE)
  queue.add([makeBuild(3, 1, 'refs/heads/b')], ALICE)
  queue.add([makeBuild(4, 2)], ALICE)
  for (const id of [1, 4, 3, 2]) await end(id)
  assert.deepEqual(started, [1, 4, 3, 2])
})

test('createBuildQueue() fills its slots from different repositories', () => {
  const { queue, started } = makeQueue(2)
  queue.add([makeBuild(1, 1), makeBuild(2, 1), makeBuild(3, 1)], ALICE)
  queue.add([makeBuild(4, 2)], ALICE)
  assert.deepEqual(started, [1, 2])
})

test('createBuildQueue() runs the newest push of a repository first and its documents in order', async () => {
  const { queue, started, end } = makeQueue(1)
  queue.add([makeBuild(1, 1, 'refs/heads/x')], ALICE)
  queue.add([makeBuild(2, 1, 'refs/heads/a')], ALICE)
  queue.add([makeBuild(3, 1, 'refs/heads/b'), makeBuild(4, 1, 'refs/heads/b')], ALICE)
  for (const id of [1, 3, 4, 2]) await end(id)
  assert.deepEqual(started, [1, 3, 4, 2])
})

test('createBuildQueue() cancels waiting and running builds that a newer push of the same branch replaces', async () => {
  const { queue, started, cancelled } = makeQueue(1)
  queue.add([makeBuild(1, 1), makeBuild(2, 1)], ALICE)
  const over = Promise.all([queue.whenOver(1), queue.whenOver(2)])
  queue.add([makeBuild(3, 1)], ALICE)
  await over
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    [started, cancelled.toSorted()],
    [
      [1, 3],
      [1, 2],
    ],
  )
})

test('createBuildQueue() keeps the other documents of a commit when one of them is queued again', async () => {
  const { queue, started, cancelled, end } = makeQueue(1)
  const [first, second, third] = ['a', 'b', 'c'].map((document, at) => ({ ...makeBuild(at + 1, 1), document }))
  assert.ok(first && second && third)
  queue.add([first, second], ALICE)
  queue.add([third], ALICE)
  for (const id of [1, 3, 2]) await end(id)
  assert.deepEqual([started, cancelled], [[1, 3, 2], []])
})

test('createBuildQueue() lets builds that are already over replace older ones without running', async () => {
  const { queue, started, cancelled } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  const over = queue.whenOver(1)
  queue.add([makeBuild(2, 1, 'refs/heads/main', 'succeeded')], ALICE)
  await over
  assert.deepEqual([started, cancelled], [[1], [1]])
})

test('createBuildQueue() reports a fault and continues', async () => {
  const { queue, started, faults, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  queue.add([makeBuild(2, 2)], ALICE)
  await end(1, new Error('disk full'))
  assert.deepEqual([started, faults.map(String)], [[1, 2], ['Error: disk full']])
})

test('createBuildQueue() cancels nothing when it closes', async () => {
  const { queue, cancelled, faults } = makeQueue(1)
  queue.add([makeBuild(1, 1), makeBuild(2, 1)], ALICE)
  await queue.close()
  assert.deepEqual([cancelled, faults], [[], []])
})

test('createBuildQueue() stops a waiting and a running build, and continues with the next', async () => {
  const { queue, started, cancelled, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  queue.add([makeBuild(2, 2)], ALICE)
  queue.add([makeBuild(3, 3)], ALICE)
  await queue.stop(2)
  await queue.stop(1)
  await queue.stop(99)
  await end(3)
  assert.deepEqual({ started, cancelled }, { started: [1, 3], cancelled: [2, 1] })
})

test('createBuildQueue() lets the owner with the least recent build time go first, however many repositories another has', async () => {
  const { queue, started, pass, end } = makeQueue(1)
  for (const id of [1, 2, 3, 4]) queue.add([makeBuild(id, id)], ALICE)
  pass(1_000)
  queue.add([makeBuild(5, 5)], BOB)
  await end(1)
  pass(500)
  queue.add([makeBuild(6, 6)], BOB)
  await end(5)
  pass(2_000)
  await end(6)
  assert.deepEqual(started, [1, 5, 6, 4])
})

test('createBuildQueue() starts the owner who has waited longer first if neither has recent build time', async () => {
  const { queue, started, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  queue.add([makeBuild(2, 2)], BOB)
  queue.add([makeBuild(3, 3)], { ownerId: 'carol' })
  await end(1)
  assert.deepEqual(started, [1, 2])
})

test('createBuildQueue() lets build time decay: a heavy owner of yesterday is equal to a new one', async () => {
  const { queue, started, pass, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  pass(60_000)
  await end(1)
  pass(86_400_000)
  queue.add([makeBuild(2, 2)], { ownerId: 'carol' })
  queue.add([makeBuild(3, 3)], ALICE)
  queue.add([makeBuild(4, 4)], BOB)
  pass(1_000)
  await end(2)
  assert.deepEqual(started, [1, 2, 3])
})

test('createBuildQueue() requeues the youngest build of a heavy owner who holds every slot while another waits', async () => {
  const { queue, started, requeued, cancelled, pass, end } = makeQueue(2)
  for (const id of [1, 2, 3]) queue.add([makeBuild(id, id)], ALICE)
  pass(HEAVY_MS)
  queue.add([makeBuild(4, 4)], BOB)
  await new Promise((resolve) => setImmediate(resolve))
  pass(KEEP_FREE_MS)
  await end(4)
  await end(1)
  assert.deepEqual({ started, requeued, cancelled }, { started: [1, 2, 4, 3, 2], requeued: [2], cancelled: [] })
})

test('createBuildQueue() keeps a slot free of a heavy owner for a while after another had to wait for it', async () => {
  const { queue, started, requeued, pass, end } = makeQueue(2)
  for (const id of [1, 2, 3]) queue.add([makeBuild(id, id)], ALICE)
  pass(HEAVY_MS)
  for (const id of [4, 5, 6]) {
    queue.add([makeBuild(id, id)], BOB)
    await new Promise((resolve) => setImmediate(resolve))
    pass(KEEP_FREE_MS / 2)
    await end(id)
  }
  const startedMeanwhile = [...started]
  pass(KEEP_FREE_MS)
  queue.add([makeBuild(7, 7)], BOB)
  await end(7)
  assert.deepEqual([startedMeanwhile, started, requeued], [[1, 2, 4, 5, 6], [1, 2, 4, 5, 6, 7], [2]])
})

test('createBuildQueue() lets a heavy owner use every slot again when no other builds', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { queue, started, pass, end } = makeQueue(2)
  for (const id of [1, 2, 3]) queue.add([makeBuild(id, id)], ALICE)
  pass(HEAVY_MS)
  queue.add([makeBuild(4, 4)], BOB)
  await new Promise((resolve) => setImmediate(resolve))
  await end(4)
  pass(KEEP_FREE_MS)
  t.mock.timers.tick(1_000)
  assert.deepEqual(started, [1, 2, 4, 3])
})

test('createBuildQueue() resolves whenOver() of a requeued build only when it is over', async () => {
  const { queue, pass, end } = makeQueue(2)
  for (const id of [1, 2]) queue.add([makeBuild(id, id)], ALICE)
  let isOver = false
  const over = queue.whenOver(2).then(() => (isOver = true))
  pass(HEAVY_MS)
  queue.add([makeBuild(3, 3)], BOB)
  pass(KEEP_FREE_MS)
  await end(3)
  const wasOver = isOver
  await end(2)
  await over
  assert.deepEqual([wasOver, isOver], [false, true])
})

test('createBuildQueue() cancels a build that a newer push replaces while it is being requeued', async () => {
  const { queue, started, cancelled, pass } = makeQueue(2)
  for (const id of [1, 2]) queue.add([makeBuild(id, id)], ALICE)
  pass(HEAVY_MS)
  queue.add([makeBuild(3, 3)], BOB)
  const over = queue.whenOver(2)
  queue.add([makeBuild(4, 2)], ALICE)
  await over
  assert.deepEqual({ started, cancelled }, { started: [1, 2, 3], cancelled: [2] })
})

test('createBuildQueue() runs exactly one build beyond its slots for an owner behind heavy ones', () => {
  const { queue, started, requeued, pass } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  queue.add([makeBuild(2, 2)], ALICE)
  pass(HEAVY_MS)
  queue.add([makeBuild(3, 3), makeBuild(4, 3)], BOB)
  queue.add([makeBuild(5, 5)], { ownerId: 'carol' })
  assert.deepEqual({ started, requeued }, { started: [1, 3], requeued: [] })
})

test('createBuildQueue() stays within its slots while no owner is heavy', () => {
  const { queue, started, pass } = makeQueue(1)
  queue.add([makeBuild(1, 1)], ALICE)
  pass(HEAVY_MS / 2)
  queue.add([makeBuild(2, 2)], BOB)
  assert.deepEqual(started, [1])
})

test('createBuildQueue() starts the builds of 31 owners at once, while the 50 repositories of another loop forever', async () => {
  const { queue, started, pass, end } = makeQueue(2)
  for (let id = 1; id <= 50; id += 1) queue.add([makeBuild(id, id)], ALICE)
  pass(60_000)
  const delays: number[] = []
  for (let id = 101; id <= 131; id += 1) {
    const before = started.length
    queue.add([makeBuild(id, id)], { ownerId: `user-${id}` })
    delays.push(started.indexOf(id) - before)
    pass(1_000)
    await end(id)
  }
  assert.deepEqual(
    delays,
    delays.map(() => 0),
  )
})

test('createBuildQueue() has an expected build until it is forgotten, or added and over', async () => {
  const { queue, end } = makeQueue(1)
  const has = () => [queue.has(1), queue.has(2), queue.count()]
  queue.expect([1, 2])
  const states = [has()]
  queue.forget([2])
  queue.add([makeBuild(1, 1)], ALICE)
  states.push(has())
  await end(1)
  states.push(has())
  assert.deepEqual(states, [
    [true, true, 0],
    [true, false, 1],
    [false, false, 0],
  ])
})
