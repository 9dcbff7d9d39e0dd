/**
 * Threads for work on untrusted content.
 *
 * A parser that is quick on every ordinary input can still need minutes, or all memory, for a crafted one. The thread
 * that serves requests therefore hands such work to a pool: each task has a time limit, each thread a memory limit, and
 * a task that exceeds either costs only its own thread. The queue is bounded and fair: the requester who used the least
 * thread time recently goes first, and no requester occupies every thread.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { createFairQueue, type FairQueue } from './fair-queue.ts'
import type { TaskAnswer, TaskCall } from './serve-tasks.ts'

/** Bounds the time to load code before a task starts. */
const LOAD_LIMIT_MS = 60_000

/** The functions that a worker script serves, by name. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

export type TaskInput<T extends Tasks, Name extends keyof T> = Parameters<T[Name]>[0]
export type TaskResult<T extends Tasks, Name extends keyof T> = Awaited<ReturnType<T[Name]>>

/** How a task ended. Failures are values: content that cannot be parsed is not an error of the caller. */
export type TaskOutcome<Result> =
  | { readonly kind: 'done'; readonly value: Result }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'out-of-memory' }
  /** The task threw, or its thread ended. */
  | { readonly kind: 'failed'; readonly error: Error }
  /** The queue is full. Not a property of the content: do not cache it. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'aborted' }

export interface TaskOptions {
  /** Key for fairness: the owner of the content rather than its reader. */
  readonly requester: string
  /** Milliseconds from the start of the task, when its thread has loaded the code. @default the limit of the pool */
  readonly timeLimitMs?: number
  /** Buffers of the input that are transferred to the thread instead of copied: unusable here afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
  readonly signal?: AbortSignal | undefined
}

export interface WorkerPoolOptions {
  /** @default the number of processors, at least 2 and at most 4 */
  readonly threads?: number
  /** @default 3000 */
  readonly timeLimitMs?: number
  /** Heap of one thread. Buffers are not part of it: bound the input. @default 128 */
  readonly memoryLimitMb?: number
  /** Tasks that may wait, of all requesters together. @default 256 */
  readonly maxQueued?: number
  /** Tasks that one requester may have waiting. @default 32 */
  readonly maxQueuedPerRequester?: number
  /** An unused thread ends after this time and frees its memory. @default 60_000 */
  readonly idleLimitMs?: number
}

export interface WorkerPool<T extends Tasks> {
  /** Runs one task on a thread. Never rejects; `input` and the result are copied between threads. */
  run<Name extends keyof T & string>(
    name: Name,
    input: TaskInput<T, Name>,
    options: TaskOptions,
  ): Promise<TaskOutcome<TaskResult<T, Name>>>
  /** Starts a thread, unless one is free, so that the next task need not wait for it. */
  prepare(): void
  /** Ends all threads; tasks that have not finished end as aborted. */
  close(): Promise<void>
}

interface Job {
  readonly name: string
  readonly input: unknown
  readonly requester: string
  readonly timeLimitMs: number
  readonly transfer: readonly ArrayBuffer[]
  readonly finish: (outcome: TaskOutcome<never>) => void
}

interface Thread {
  readonly worker: Worker
  job: Job | null
  startedAt: number
  timer: NodeJS.Timeout | undefined
}

/** Creates a pool of threads that run `script`, a module that calls `serveTasks`. Threads start when they are needed. */
export function createWorkerPool<T extends Tasks>(script: URL, options: WorkerPoolOptions = {}): WorkerPool<T> {
  const {
    threads: maxThreads = Math.min(4, Math.max(2, availableParallelism())),
    timeLimitMs: defaultTimeLimitMs = 3_000,
    memoryLimitMb = 128,
    maxQueued = 256,
    maxQueuedPerRequester = 32,
    idleLimitMs = 60_000,
  } = options
  const threads = new Set<Thread>()
  const queue: FairQueue<Job> = createFairQueue({
    maxQueued,
    maxQueuedPerRequester,
    maxRunningPerRequester: Math.max(1, maxThreads - 1),
  })
  let isClosed = false

  function startThread(): Thread {
    // What a parser prints about broken content does not belong in the output of the service.
    const worker = new Worker(script, {
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb, maxYoungGenerationSizeMb: 16 },
    })
    const thread: Thread = { worker, job: null, startedAt: 0, timer: undefined }
    worker.on('message', (answer: TaskAnswer) => {
      if (answer.kind === 'started') limitTime(thread, thread.job?.timeLimitMs ?? defaultTimeLimitMs)
      else settle(thread, toOutcome(answer))
    })
    // Called after adding the message listener, which refs the thread again.
    worker.unref()
    // These listeners stay for the life of the thread: an 'error' without a listener would end the process.
    worker.on('error', (error) => discard(thread, describeDeath(error)))
    worker.on('exit', () => discard(thread, { kind: 'failed', error: new Error('the worker thread ended') }))
    threads.add(thread)
    return thread
  }

  function start(thread: Thread, job: Job): void {
    thread.job = job
    thread.startedAt = performance.now()
    thread.worker.ref()
    // The thread may still have to load our own code, which takes longer than a task on a busy machine.
    limitTime(thread, LOAD_LIMIT_MS)
    try {
      const call: TaskCall = { name: job.name, input: job.input }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
      thread.worker.postMessage(call, job.transfer)
    } catch (error) {
      settle(thread, { kind: 'failed', error: toError(error) })
    }
  }

  function limitTime(thread: Thread, limitMs: number): void {
    clearTimeout(thread.timer)
    // A message of a thread that is already stopped must not start a timer.
    if (threads.has(thread)) thread.timer = setTimeout(() => discard(thread, { kind: 'timed-out' }), limitMs)
  }

  /** The thread has answered and is free. */
  function settle(thread: Thread, outcome: TaskOutcome<never>): void {
    if (!threads.has(thread)) return
    thread.worker.unref()
    release(thread, outcome)
    limitIdleTime(thread)
    fillThreads()
  }

  function limitIdleTime(thread: Thread): void {
    thread.timer = setTimeout(() => discard(thread, { kind: 'aborted' }), idleLimitMs).unref()
  }

  /** The thread has ended, or is terminated to stop its task. */
  function discard(thread: Thread, outcome: TaskOutcome<never>): void {
    if (!threads.delete(thread)) return
    void thread.worker.terminate()
    release(thread, outcome)
    fillThreads()
  }

  function release(thread: Thread, outcome: TaskOutcome<never>): void {
    clearTimeout(thread.timer)
    const { job } = thread
    thread.job = null
    if (job === null) return
    queue.finished(job.requester, performance.now() - thread.startedAt)
    job.finish(outcome)
  }

  function findFreeThread(): Thread | undefined {
    return [...threads].find(({ job }) => job === null)
  }

  function fillThreads(): void {
    if (isClosed) return
    const free = findFreeThread()
    if (free === undefined && threads.size >= maxThreads) return
    const job = queue.take()
    if (job === null) return
    start(free ?? startThread(), job)
    fillThreads()
  }

  function stop(job: Job): void {
    if (queue.remove(job)) {
      job.finish({ kind: 'aborted' })
      return
    }
    const thread = [...threads].find((candidate) => candidate.job === job)
    if (thread !== undefined) discard(thread, { kind: 'aborted' })
  }

  return {
    run(name, input, { requester, timeLimitMs = defaultTimeLimitMs, transfer = [], signal }) {
      const { promise, resolve } = Promise.withResolvers<TaskOutcome<never>>()
      if (isClosed || signal?.aborted === true) return Promise.resolve({ kind: 'aborted' })
      const onAbort = (): void => stop(job)
      const finish = (outcome: TaskOutcome<never>): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve(outcome)
      }
      const job: Job = { name, input, requester, timeLimitMs, transfer, finish }
      if (!queue.add(job)) return Promise.resolve({ kind: 'busy' })
      signal?.addEventListener('abort', onAbort, { once: true })
      fillThreads()
      return promise
    },
    prepare() {
      if (isClosed || threads.size >= maxThreads || findFreeThread() !== undefined) return
      limitIdleTime(startThread())
    },
    async close() {
      isClosed = true
      for (const job of queue.drain()) job.finish({ kind: 'aborted' })
      const ending = [...threads].map((thread) => {
        discard(thread, { kind: 'aborted' })
        return thread.worker.terminate()
      })
      await Promise.all(ending)
    },
  }
}

function toOutcome(answer: Exclude<TaskAnswer, { kind: 'started' }>): TaskOutcome<never> {
  return answer.kind === 'done'
    ? { kind: 'done', value: answer.value as never }
    : { kind: 'failed', error: answer.error }
}

function describeDeath(error: unknown): TaskOutcome<never> {
  const cause = toError(error)
  const isHeap = 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isHeap ? { kind: 'out-of-memory' } : { kind: 'failed', error: cause }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
