import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { Build } from '../domain/build.ts'
import { createBuildQueue, type BuildQueue } from './build-queue.ts'

function makeBuild(id: number, repositoryId: number, ref = 'refs/heads/main', state: Build['state'] = 'queued'): Build {
  return {
    id,
    repositoryId,
    number: id,
    ref,
    commitId: 'c',
    treeId: 't',
    rootFile: 'main.tex',
    document: 'main',
    engine: 'pdflatex',
    bibliography: 'none',
    reason: '',
    state,
    pdfId: null,
    pageCount: null,
    errors: [],
    warnings: [],
    passes: [],
    createdAt: 0,
    startedAt: null,
    finishedAt: null,
  }
}

/** A queue whose builds end when the test says so. */
function makeQueue(concurrency: number): {
  readonly queue: BuildQueue
  readonly started: number[]
  readonly cancelled: number[]
  readonly faults: unknown[]
  readonly end: (id: number, error?: Error) => Promise<void>
} {
  const started: number[] = []
  const cancelled: number[] = []
  const faults: unknown[] = []
  const ends = new Map<number, PromiseWithResolvers<void>>()
  const queue = createBuildQueue({
    concurrency,
    run: (build, signal) => {
      started.push(build.id)
      const end = Promise.withResolvers<void>()
      ends.set(build.id, end)
      signal.addEventListener('abort', () => end.reject(signal.reason))
      return end.promise
    },
    cancel: async (ids) => void cancelled.push(...ids),
    onFault: (error) => faults.push(error),
  })
  const end = async (id: number, error?: Error): Promise<void> => {
    const over = queue.whenOver(id)
    if (error === undefined) ends.get(id)?.resolve()
    else ends.get(id)?.reject(error)
    await over
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { queue, started, cancelled, faults, end }
}

test('createBuildQueue() gives every repository its turn before anyone gets a second', async () => {
  const { queue, started, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)])
  queue.add([makeBuild(2, 1, 'refs/heads/a')])
  queue.add([makeBuild(3, 1, 'refs/heads/b')])
  queue.add([makeBuild(4, 2)])
  for (const id of [1, 4, 3, 2]) await end(id)
  assert.deepEqual(started, [1, 4, 3, 2])
})

test('createBuildQueue() fills its slots from different repositories', () => {
  const { queue, started } = makeQueue(2)
  queue.add([makeBuild(1, 1), makeBuild(2, 1), makeBuild(3, 1)])
  queue.add([makeBuild(4, 2)])
  assert.deepEqual(started, [1, 2])
})

test('createBuildQueue() runs the newest push of a repository first and its documents in order', async () => {
  const { queue, started, end } = makeQueue(1)
  queue.add([makeBuild(1, 1, 'refs/heads/x')])
  queue.add([makeBuild(2, 1, 'refs/heads/a')])
  queue.add([makeBuild(3, 1, 'refs/heads/b'), makeBuild(4, 1, 'refs/heads/b')])
  for (const id of [1, 3, 4, 2]) await end(id)
  assert.deepEqual(started, [1, 3, 4, 2])
})

test('createBuildQueue() cancels what a newer push of the same branch replaces, waiting or running', async () => {
  const { queue, started, cancelled } = makeQueue(1)
  queue.add([makeBuild(1, 1), makeBuild(2, 1)])
  const over = Promise.all([queue.whenOver(1), queue.whenOver(2)])
  queue.add([makeBuild(3, 1)])
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

test('createBuildQueue() lets builds that are over already replace older ones without running', async () => {
  const { queue, started, cancelled } = makeQueue(1)
  queue.add([makeBuild(1, 1)])
  const over = queue.whenOver(1)
  queue.add([makeBuild(2, 1, 'refs/heads/main', 'succeeded')])
  await over
  assert.deepEqual([started, cancelled], [[1], [1]])
})

test('createBuildQueue() tells of a fault and goes on', async () => {
  const { queue, started, faults, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)])
  queue.add([makeBuild(2, 2)])
  await end(1, new Error('disk full'))
  assert.deepEqual([started, faults.map(String)], [[1, 2], ['Error: disk full']])
})

test('createBuildQueue() cancels nothing when it closes', async () => {
  const { queue, cancelled, faults } = makeQueue(1)
  queue.add([makeBuild(1, 1), makeBuild(2, 1)])
  await queue.close()
  assert.deepEqual([cancelled, faults], [[], []])
})

test('createBuildQueue() stops a build that waits and one that runs, and goes on with the next', async () => {
  const { queue, started, cancelled, end } = makeQueue(1)
  queue.add([makeBuild(1, 1)])
  queue.add([makeBuild(2, 2)])
  queue.add([makeBuild(3, 3)])
  await queue.stop(2)
  await queue.stop(1)
  await queue.stop(99)
  await end(3)
  assert.deepEqual({ started, cancelled }, { started: [1, 3], cancelled: [2, 1] })
})
