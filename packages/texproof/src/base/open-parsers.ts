/**
 * The worker threads that parse all user content: Markdown, sources, patches, tables, settings, SyncTeX. The main
 * thread serves requests and must not be blocked by it (ADR 0017).
 */
import { createWorkerPool, type TaskOutcome, type WorkerPoolOptions } from '@texproof/platex/worker'

import type { ParserTasks } from './parser-thread.ts'
import type { ThreadTask } from './thread-task.ts'

/** How a task ended; see `createWorkerPool`. */
export type { TaskOutcome } from '@texproof/platex/worker'

/** The owner of the content, and a time limit. */
export interface ParseOptions {
  /** User id of the owner of the content, for fairness: their content does not delay other users. */
  readonly ownerId: string
  /** @default 3000 */
  readonly timeLimitMs?: number
  /** Buffers of the input that are transferred to the thread instead of copied: unusable here afterwards. */
  readonly transfer?: readonly ArrayBuffer[]
}

export interface Parsers {
  /** Calls a function in a worker thread. Never rejects: content that cannot be parsed is a value. */
  run<Input, Result>(task: ThreadTask<Input, Result>, input: Input, options: ParseOptions): Promise<TaskOutcome<Result>>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Opens the threads, which start with the first work. */
export function openParsers(options: WorkerPoolOptions = {}): Parsers {
  const pool = createWorkerPool<ParserTasks>(new URL('parser-thread.ts', import.meta.url), options)
  return {
    async run<Input, Result>(
      { module, name }: ThreadTask<Input, Result>,
      input: Input,
      { ownerId, timeLimitMs, transfer = [] }: ParseOptions,
    ) {
      const limits = timeLimitMs === undefined ? {} : { timeLimitMs }
      const outcome = await pool.run('call', { module, name, input }, { requester: ownerId, transfer, ...limits })
      // `defineTask` has the result type of the function.
      return outcome as TaskOutcome<Result>
    },
    close: () => pool.close(),
  }
}
