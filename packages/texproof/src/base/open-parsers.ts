/**
 * The threads on which everything is parsed that users have pushed or typed: Markdown, sources, patches, tables,
 * settings, SyncTeX. The main thread serves requests and must not wait for any of it (ADR 0017).
 */
import { createWorkerPool, type TaskOutcome, type WorkerPoolOptions } from '@texproof/platex/worker'

import type { ParserTasks } from './parser-thread.ts'
import type { ThreadTask } from './thread-task.ts'

/** How a task ended; see `createWorkerPool`. */
export type { TaskOutcome } from '@texproof/platex/worker'

/** Who caused the work. */
export interface ParseOptions {
  /** User id of the owner of the content, for fairness: their content delays no other user. */
  readonly ownerId: string
  /** @default 3000 */
  readonly timeLimitMs?: number
}

export interface Parsers {
  /** Calls a function on a thread. Never rejects: content that cannot be parsed is a value. */
  run<Input, Result>(task: ThreadTask<Input, Result>, input: Input, options: ParseOptions): Promise<TaskOutcome<Result>>
  /** Ends the threads. */
  close(): Promise<void>
}

/** Opens the threads; none starts before there is work. */
export function openParsers(options: WorkerPoolOptions = {}): Parsers {
  const pool = createWorkerPool<ParserTasks>(new URL('parser-thread.ts', import.meta.url), options)
  return {
    async run<Input, Result>(
      { module, name }: ThreadTask<Input, Result>,
      input: Input,
      { ownerId, timeLimitMs }: ParseOptions,
    ) {
      const limits = timeLimitMs === undefined ? {} : { timeLimitMs }
      const outcome = await pool.run('call', { module, name, input }, { requester: ownerId, ...limits })
      // `defineTask` took the type of the result from the function that is called.
      return outcome as TaskOutcome<Result>
    },
    close: () => pool.close(),
  }
}
