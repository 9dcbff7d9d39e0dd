import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { sampleTasks } from '../../test/support/sample-tasks.ts'
import type { slowLoadingTasks } from '../../test/support/slow-loading-tasks.ts'
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './create-worker-pool.ts'

const script = new URL('../../test/support/sample-tasks.ts', import.meta.url)
const alice = { requester: 'alice' }
const bob = { requester: 'bob' }

describe('createWorkerPool', () => {
  const pools: WorkerPool<typeof sampleTasks>[] = []
  const open = (options: WorkerPoolOptions = {}): WorkerPool<typeof sampleTasks> => {
    const pool = createWorkerPool<typeof sampleTasks>(script, options)
    pools.push(pool)
    return pool
  }
  after(async () => {
    await Promise.all(pools.map((pool) => pool.close()))
  })

  it('returns the result of the task', async () => {
    assert.deepEqual(await open().run('double', 21, alice), { kind: 'done', value: 42 })
  })

  it('ends a task that loops, and serves the next one', async () => {
    const pool = open({ threads: 1, timeLimitMs: 300 })
    assert.deepEqual(await pool.run('loop', undefined, alice), { kind: 'timed-out' })
    assert.deepEqual(await pool.run('double', 1, { ...alice, timeLimitMs: 10_000 }), { kind: 'done', value: 2 })
  })

  it('does not count the loading of code as time of the task', async () => {
    const slowScript = new URL('../../test/support/slow-loading-tasks.ts', import.meta.url)
    const pool = createWorkerPool<typeof slowLoadingTasks>(slowScript, { threads: 1, timeLimitMs: 400 })
    assert.deepEqual(await pool.run('double', 12, alice), { kind: 'done', value: 24 })
    await pool.close()
  })

  it('ends a backtracking regular expression', async () => {
    const pool = open({ timeLimitMs: 300 })
    assert.deepEqual(await pool.run('backtrack', 60, alice), { kind: 'timed-out' })
  })

  it('ends a task that fills its memory, and serves the next one', async () => {
    const pool = open({ threads: 1, timeLimitMs: 60_000, memoryLimitMb: 32 })
    assert.deepEqual(await pool.run('grow', undefined, alice), { kind: 'out-of-memory' })
    assert.deepEqual(await pool.run('double', 2, alice), { kind: 'done', value: 4 })
  })

  it('returns the error that a task threw', async () => {
    const outcome = await open().run('fail', 'too deep', alice)
    assert.deepEqual(outcome, { kind: 'failed', error: new RangeError('too deep') })
  })

  it('survives a thread that fails after its response', async () => {
    const pool = open({ threads: 1 })
    assert.deepEqual(await pool.run('failLater', undefined, alice), { kind: 'done', value: 'answered' })
    const outcome = await pool.run('wait', 500, alice)
    assert.deepEqual(outcome, { kind: 'failed', error: new Error('nobody waits for this') })
    assert.deepEqual(await pool.run('double', 3, alice), { kind: 'done', value: 6 })
  })

  it('survives a thread that exits', async () => {
    const pool = open({ threads: 1 })
    const outcome = await pool.run('exit', undefined, alice)
    assert.deepEqual(outcome, { kind: 'failed', error: new Error('the worker thread ended') })
    assert.deepEqual(await pool.run('double', 4, alice), { kind: 'done', value: 8 })
  })

  it('moves buffers instead of copying them', async () => {
    const bytes = new Uint8Array(3)
    const outcome = await open().run('fill', bytes, { ...alice, transfer: [bytes.buffer] })
    assert.deepEqual([outcome, bytes.length], [{ kind: 'done', value: new Uint8Array([7, 7, 7]) }, 0])
  })

  it('runs tasks on a prepared thread', async () => {
    const pool = open({ threads: 1 })
    pool.prepare()
    pool.prepare()
    assert.deepEqual(await pool.run('double', 11, alice), { kind: 'done', value: 22 })
  })

  it('does not keep the process alive with an unused prepared thread', async () => {
    const program = fileURLToPath(new URL('../../test/support/prepare-thread.ts', import.meta.url))
    const args = [...process.execArgv, program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 })
    assert.equal(stdout, 'prepared\n')
  })

  it('rejects input that cannot be copied to a thread', async () => {
    const pool = open()
    const outcome = await pool.run('double', (() => 1) as never, alice)
    assert.equal(outcome.kind, 'failed')
    assert.deepEqual(await pool.run('double', 5, alice), { kind: 'done', value: 10 })
  })

  it('never gives all threads to one requester', async () => {
    const pool = open({ threads: 2, timeLimitMs: 60_000 })
    const stop = new AbortController()
    const loops = [1, 2, 3].map(() => pool.run('loop', undefined, { ...alice, signal: stop.signal }))
    assert.deepEqual(await pool.run('double', 6, bob), { kind: 'done', value: 12 })
    stop.abort()
    const aborted = { kind: 'aborted' }
    assert.deepEqual(await Promise.all(loops), [aborted, aborted, aborted])
  })

  it('is busy only for a requester whose share of the queue is full', async () => {
    const pool = open({ threads: 2, maxQueuedPerRequester: 1, timeLimitMs: 60_000 })
    const stop = new AbortController()
    const running = pool.run('loop', undefined, { ...alice, signal: stop.signal })
    const waiting = pool.run('loop', undefined, { ...alice, signal: stop.signal })
    assert.deepEqual(await pool.run('double', 7, alice), { kind: 'busy' })
    assert.deepEqual(await pool.run('double', 7, bob), { kind: 'done', value: 14 })
    stop.abort()
    await Promise.all([running, waiting])
  })

  it('ends unfinished tasks when it closes', async () => {
    const pool = open({ threads: 1 })
    const tasks = [pool.run('loop', undefined, alice), pool.run('double', 8, bob)]
    await pool.close()
    assert.deepEqual(await Promise.all(tasks), [{ kind: 'aborted' }, { kind: 'aborted' }])
    assert.deepEqual(await pool.run('double', 9, alice), { kind: 'aborted' })
  })

  it('starts threads again after they were idle', async () => {
    const pool = open({ idleLimitMs: 1 })
    await pool.run('double', 1, alice)
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.deepEqual(await pool.run('double', 10, alice), { kind: 'done', value: 20 })
  })
})
