/** Entry point `@texproof/platex/worker`: worker threads with time and memory limits, for untrusted content. */

export {
  createWorkerPool,
  type TaskInput,
  type TaskOptions,
  type TaskOutcome,
  type TaskResult,
  type Tasks,
  type WorkerPool,
  type WorkerPoolOptions,
} from '../worker/create-worker-pool.ts'
export { createFairQueue, type FairQueue, type FairQueueLimits, type QueuedWork } from '../worker/fair-queue.ts'
export { serveTasks, transferring } from '../worker/serve-tasks.ts'
