/**
 * Runs in the worker threads of `open-parsers.ts`: calls one function after another, and imports each at its first
 * call.
 */
import { setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

import { serveTasks } from '@texproof/platex/worker'

/** The function to call. */
export interface ThreadCall {
  readonly module: string
  readonly name: string
  readonly input: unknown
}

const tasks = {
  async call({ module, name, input }: ThreadCall): Promise<unknown> {
    const exported = (await import(module)) as Readonly<Record<string, (input: unknown) => unknown>>
    const task = exported[name]
    if (task === undefined) throw new Error(`${module} exports no "${name}"`)
    return task(input)
  },
}

/** The only task of these threads. */
export type ParserTasks = typeof tasks

// On Linux, the priority applies to the calling thread only: the main thread goes first.
if (!isMainThread) setPriority(0, 4)
serveTasks(tasks, { load: ({ module }: ThreadCall) => import(module) })
