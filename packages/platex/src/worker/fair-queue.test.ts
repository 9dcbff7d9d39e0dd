import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { createFairQueue, type FairQueueLimits } from './fair-queue.ts'

interface Work {
  readonly requester: string
  readonly name: string
}

const limits: FairQueueLimits = { maxQueued: 100, maxQueuedPerRequester: 50, maxRunningPerRequester: 1 }

function work(requester: string, name: string): Work {
  return { requester, name }
}

describe('createFairQueue', () => {
  it('alternates between requesters, each in order', () => {
    const queue = createFairQueue<Work>({ ...limits, maxRunningPerRequester: 10, clock: () => 0 })
    for (const name of ['a1', 'a2', 'a3']) queue.add(work('alice', name))
    queue.add(work('bob', 'b1'))
    const order = [1, 2, 3, 4].map(() => queue.take()?.name)
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'a3'])
  })

  it('serves the requester with the least recent use first', () => {
    const queue = createFairQueue<Work>({ ...limits, clock: () => 0 })
    queue.add(work('alice', 'a1'))
    queue.take()
    queue.finished('alice', 5_000)
    queue.add(work('alice', 'a2'))
    queue.add(work('bob', 'b1'))
    assert.deepEqual(queue.take(), work('bob', 'b1'))
  })

  it('forgets use over time', () => {
    let now = 0
    const queue = createFairQueue<Work>({ ...limits, clock: () => now })
    queue.add(work('alice', 'a1'))
    queue.take()
    queue.finished('alice', 5_000)
    now = 600_000
    queue.add(work('bob', 'b1'))
    queue.take()
    queue.finished('bob', 100)
    queue.add(work('bob', 'b2'))
    queue.add(work('alice', 'a2'))
    assert.deepEqual(queue.take(), work('alice', 'a2'))
  })

  it('delays work while its requester is at its limit', () => {
    const queue = createFairQueue<Work>(limits)
    queue.add(work('alice', 'a1'))
    queue.add(work('alice', 'a2'))
    queue.take()
    assert.equal(queue.take(), null)
    queue.finished('alice', 1)
    assert.deepEqual(queue.take(), work('alice', 'a2'))
  })

  it('rejects work beyond its limits', () => {
    const queue = createFairQueue<Work>({ ...limits, maxQueued: 3, maxQueuedPerRequester: 2 })
    const added = ['alice', 'alice', 'alice', 'bob', 'carol'].map((name) => queue.add(work(name, 'w')))
    assert.deepEqual(added, [true, true, false, true, false])
  })

  it('removes queued work, once', () => {
    const queue = createFairQueue<Work>(limits)
    const waiting = work('alice', 'a1')
    queue.add(waiting)
    assert.deepEqual([queue.remove(waiting), queue.remove(waiting), queue.take()], [true, false, null])
  })

  it('returns all queued work when it is drained', () => {
    const queue = createFairQueue<Work>(limits)
    queue.add(work('alice', 'a1'))
    queue.add(work('bob', 'b1'))
    assert.deepEqual(queue.drain(), [work('alice', 'a1'), work('bob', 'b1')])
    assert.equal(queue.take(), null)
  })
})
